"""Units of a translation memory in sqlite, found by the similarity of their sources.

`file` has the tables, also for a memory in a separate file; `table` finds units by an index; `confirmed`
makes units from segments.
"""
