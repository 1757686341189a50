"""Entries of a term base in sqlite: `schema`, `table`, and `file` for a term base in a file of its own."""
