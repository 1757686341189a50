"""The translation memory: units in sqlite, found again by how alike their sources are.

`units` and `matching` say what goes in and comes out, `schema` has the tables, `postings` the index, `memory`
puts them together; `file` is a memory in a file of its own, `confirmed` makes units of segments.

May import `core`; no Qt, no file formats.
"""
