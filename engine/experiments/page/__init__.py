"""The results page, from the runs' files; no torch."""
