"""Confidence in drafts and their words."""
