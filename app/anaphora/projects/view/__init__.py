"""Projects in the window."""
