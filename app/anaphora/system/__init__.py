"""The base of the app: files, sqlite, threads, settings, messages, the log, garbage collection, the platform.

May import `core` and QtCore; no widgets.
"""
