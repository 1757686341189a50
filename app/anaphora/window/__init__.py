"""The main window: puts the features together."""
