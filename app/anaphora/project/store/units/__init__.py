"""Units of a translation memory in sqlite, found again by how alike their sources are.

`schema` has the tables, `postings` the index, `table` puts them together; `file` is a memory in a file of
its own, `confirmed` makes units of segments.
"""
