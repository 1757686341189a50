"""Proper names in Chinese texts, and their English renderings."""
