"""Sentence boundaries: editable rules (SRX), for documents read for the first time.

May import the app's core; nothing of the formats.
"""
