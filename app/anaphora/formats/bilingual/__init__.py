"""Files that contain targets and their states: gettext catalogues, XLIFF, translation memories.

May import `base`, `segmentation` and the tokens of `markup`.
"""
