"""Where sentences end: rules (SRX), and the splits and joins that a person made by hand.

May import the app's core and the engine's sentence splitter; nothing of the formats.
"""
