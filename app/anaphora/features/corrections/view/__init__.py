"""Corrections in the window."""
