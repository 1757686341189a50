"""The confidence of drafts."""
