"""The project file on the disk: tables, queries, lock, backups. No Qt.

`units` and `terms` are tables of their own, which translation memories and term bases beside it have, too.
"""
