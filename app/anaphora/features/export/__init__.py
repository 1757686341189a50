"""Exporting: what it would hold, where to, and what was written."""
