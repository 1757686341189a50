"""The commands `anaphora translate`, `check`, `terms` and `models`, which need no window."""
