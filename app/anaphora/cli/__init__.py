"""`anaphora translate`, `check`, `terms` and `models`: the work without a window."""
