"""What a document is: segments, edits, tags, notes, messages; what a project holds; how a file is replaced
as a whole, and how one of sqlite is shared.

May import the standard library and `anaphora_nmt.types`; no Qt, no tables, no format."""
