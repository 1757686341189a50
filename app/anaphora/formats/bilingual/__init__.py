"""Files that contain targets and their states: gettext, XLIFF, translation memories, tables; ICU messages."""
