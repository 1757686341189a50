"""Corrections: words that the user replaced in drafts; later drafts use the user's words."""
