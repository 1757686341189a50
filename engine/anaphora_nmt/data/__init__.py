"""Corpora: reading, storing in pieces, batches.

May import `text` and what that may.
"""
