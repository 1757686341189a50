"""Spelling of translations."""
