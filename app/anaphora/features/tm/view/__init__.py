"""Translation memories in the window."""
