"""Corrections: learned from what a translator confirms, and held in later drafts."""
