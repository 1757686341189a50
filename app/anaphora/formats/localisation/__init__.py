"""Catalogues of programs' texts that hold one language: keys and strings; and what they share.

May import `base`, and `bilingual` where a catalogue is XML or holds several languages.
"""
