"""Plain data for three or more features: segments, edits, tags, notes, drafts, languages.

Of the project's other code, it may import only `anaphora_text` and `anaphora_nmt.types`; no Qt.
"""
