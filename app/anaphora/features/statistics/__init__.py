"""Counts of words, segments and matches."""
