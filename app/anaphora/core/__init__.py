"""Data and rules that three or more features share: segments, edits, tags, notes, drafts, languages.

This package may import only `anaphora_text` and `anaphora_nmt.types` from the rest of the project, and no Qt.
"""
