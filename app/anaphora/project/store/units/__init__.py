"""Units of a translation memory in sqlite, found by the similarity of their sources.

`file` defines the tables and a memory in a separate file, `table` stores and finds units, and `confirmed`
makes units from segments.
"""
