"""What the running program needs before any document. May import `core`, `store` and QtCore; no widgets."""
