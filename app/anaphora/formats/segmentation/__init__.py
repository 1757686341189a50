"""Sentence boundaries by editable rules (SRX), for documents that are read for the first time.

May import the app's core, but no formats.
"""
