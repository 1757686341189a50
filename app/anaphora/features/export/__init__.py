"""Exporting translations: the dialog, writing the files, and the bar afterwards."""
