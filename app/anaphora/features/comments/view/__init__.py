"""Comments, notes and history in the rail."""
