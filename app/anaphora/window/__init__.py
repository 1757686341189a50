"""The main window, which combines the features."""
