"""Guide, about and problem report."""
