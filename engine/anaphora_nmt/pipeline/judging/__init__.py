"""The quality of a finished draft."""
