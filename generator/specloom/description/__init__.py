"""Load a description: every document, its references, overlays, older versions, validation."""
