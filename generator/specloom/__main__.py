"""``python -m specloom``."""

from .cli import app

app()
