"""The dictionary in the window."""
