"""Units of a translation memory in sqlite, found by the similarity of their sources.

The module `file` defines the tables and the memory files, `table` stores and finds units, and
`confirmed` makes units from segments.
"""
