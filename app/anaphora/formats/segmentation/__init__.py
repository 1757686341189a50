"""Where sentences end: editable rules (SRX), for documents that are read for the first time.

May import the app's core; nothing of the formats.
"""
