"""Find and replace."""
