"""The guide, keyboard shortcuts, problem reports, and information about the program."""
