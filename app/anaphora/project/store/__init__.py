"""The project file on the disk: tables, queries, lock, backups. No Qt.

`units` and `terms` define tables that translation memories and term bases in separate files also use.
"""
