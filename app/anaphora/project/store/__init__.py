"""The project file on the disk: tables, queries, lock and backups, without Qt.

Translation memories and term bases in separate files also use the tables in `units` and `terms`.
"""
