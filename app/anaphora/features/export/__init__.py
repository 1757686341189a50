"""Exporting translations: the dialog before, writing, and the message after."""
