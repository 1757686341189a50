"""Translating all documents, in the window."""
