"""Plain data for three or more features: segments, edits, tags, notes, drafts, languages.

May import the standard library, `anaphora_text` and `anaphora_nmt.types`; no Qt, no file, no format.
"""
