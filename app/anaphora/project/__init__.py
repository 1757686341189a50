"""Opening, editing, changing, saving, backing up and rescuing projects.

This package contains no widgets.
"""
