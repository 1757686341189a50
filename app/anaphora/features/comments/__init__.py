"""Comments, notes and the history of the current segment."""
