"""Spelling in the window."""
