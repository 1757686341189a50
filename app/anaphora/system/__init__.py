"""The base of the app: files, sqlite, threads, settings, messages, language, the log, the garbage collector.

May import `core`, the engine's errors and QtCore; no widgets.
"""
