"""What a document is: segments, edits, tags, messages. Plain Python.

May import the standard library and `anaphora_nmt.types`; no Qt, no files, no database."""
