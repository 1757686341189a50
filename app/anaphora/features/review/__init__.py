"""Giving a translation out for review, and taking back what came of it."""
