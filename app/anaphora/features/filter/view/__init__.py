"""The strip above the table, and its filters."""
