"""Where sentences end: rules (SRX), and the splits and joins that a person made by hand.

May import the app's core; nothing of the formats.
"""
