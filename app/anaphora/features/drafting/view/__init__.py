"""Drafts in the window: changes, completion and suggestions."""
