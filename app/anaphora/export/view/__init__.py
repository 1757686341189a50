"""Export in the window."""
