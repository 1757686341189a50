"""Exporting a translation for review, and importing the changes."""
