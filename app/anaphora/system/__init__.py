"""The base of the app: files, folders, sqlite, threads, settings, messages, the log, shipped data.

May import `core` and QtCore; no widgets.
"""
