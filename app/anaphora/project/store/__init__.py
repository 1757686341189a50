"""The project file on the disk: tables, queries, lock and backups, without Qt.

`units` and `terms` define tables that are also used by translation memories and term bases in separate files.
"""
