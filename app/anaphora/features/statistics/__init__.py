"""Counts of words and segments."""
