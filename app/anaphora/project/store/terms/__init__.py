"""Entries of a term base in sqlite, in a project or in a separate file."""
