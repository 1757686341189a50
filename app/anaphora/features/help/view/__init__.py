"""The dialogs of the help menu."""
