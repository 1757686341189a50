"""Drafts in the window: completion and suggestions."""
