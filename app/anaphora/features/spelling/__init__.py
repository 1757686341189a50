"""Spell checking of translations."""
