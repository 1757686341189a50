"""Corrections: the user's changes of drafts, which later drafts follow."""
