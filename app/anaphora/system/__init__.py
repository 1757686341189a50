"""What the app stands on: files, folders, sqlite, threads, settings, messages, the log, what is shipped.

May import `core` and QtCore; no widgets.
"""
