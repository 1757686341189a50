"""Entries of a term base in sqlite: `schema`, `table`, and `file` for a separate file."""
