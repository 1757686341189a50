"""Sentence boundaries by editable rules (SRX), for documents that are read for the first time."""
