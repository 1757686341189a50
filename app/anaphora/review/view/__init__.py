"""Review in the window."""
