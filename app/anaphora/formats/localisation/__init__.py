"""Catalogues of programs' texts, keys and strings, and what they share; Qt's hold translations, too.

May import `base`, and `bilingual` where a catalogue is XML or holds several languages.
"""
