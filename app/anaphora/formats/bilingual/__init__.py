"""Files that contain targets and their states: gettext, XLIFF, translation memories, tables; ICU messages.

Its modules may import `base`, `segmentation` and the tokens of `markup`.
"""
