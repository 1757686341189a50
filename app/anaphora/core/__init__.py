"""What a document is: segments, edits, tags, notes, messages; what a project holds; and how a
file is replaced as a whole.

May import the standard library and `anaphora_nmt.types`; no Qt, no database, no format."""
