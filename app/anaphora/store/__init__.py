"""The project file on the disk: tables, queries, lock, backups, and where the app keeps its files.

May import `core`, `translation_memory` and `term_base`; no Qt."""
