"""Catalogues of programs' texts, keys and strings; Qt's and String Catalogs hold translations, too.

May import `base`, and `bilingual` where a catalogue is XML or holds several languages.
"""
