"""Units of a translation memory in sqlite, found by the similarity of their sources.

`schema` has the tables, `postings` the index, `table` combines them; `file` is a memory in a separate file,
`confirmed` makes units of segments.
"""
