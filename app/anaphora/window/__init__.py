"""The main window: puts the features' views together."""
