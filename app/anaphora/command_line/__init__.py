"""`anaphora translate` and `anaphora check`: the work without a window."""
