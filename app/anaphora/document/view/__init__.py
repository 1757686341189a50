"""The document in the window, beside its table."""
