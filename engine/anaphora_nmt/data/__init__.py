"""Corpora: reading, storing in pieces, batches."""
