"""The dialog with the statistics."""
