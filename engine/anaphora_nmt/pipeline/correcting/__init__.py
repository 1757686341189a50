"""Corrections: learned from confirmed translations and applied to later drafts."""
