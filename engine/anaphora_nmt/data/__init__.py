"""Corpora: reading, encoding and batches."""
