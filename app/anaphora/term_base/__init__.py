"""The term base: what terms are called in the other language, and where they stand in a text.

`entries` says what goes in, `schema` has the tables, `base` keeps entries, `file` is a term base in a file of
its own; `recognition` finds source terms in a segment, `inflections` and `usage` find their target terms in
its translation.

May import `core`; no Qt, no file formats.
"""
