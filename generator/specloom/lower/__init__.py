"""From descriptions to the IR: every normalisation happens here and nowhere else."""
