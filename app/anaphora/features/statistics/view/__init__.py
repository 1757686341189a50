"""The counts, as a dialog."""
