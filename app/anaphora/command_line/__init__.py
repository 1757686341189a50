"""`anaphora translate`, `check` and `terms`: the work without a window."""
