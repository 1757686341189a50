"""The choices about reading, as a dialog."""
