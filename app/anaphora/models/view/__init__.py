"""Models in the window."""
