"""The base of the app: files, sqlite, threads, settings, messages, language, the log, the garbage collector.

It may import `core`, the engine's errors and QtCore, but no widgets.
"""
