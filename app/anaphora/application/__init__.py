"""What the running program needs before any document: background tasks, messages, log, languages.

May import `core`, `store` and QtCore; no widgets.
"""
