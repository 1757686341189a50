"""The checks in the window."""
