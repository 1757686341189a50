"""Filters for the segments in the table, and the progress of the translation."""
