"""Catalogues of programs' texts: keys and strings; Qt's and String Catalogs also contain translations.

May import `base`, and `bilingual` where a catalogue is XML or has several languages.
"""
