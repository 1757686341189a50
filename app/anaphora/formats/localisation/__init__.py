"""Catalogues of programs: keys and strings; files of Qt and String Catalogs also contain translations.

Its modules may import `base`, and `bilingual` where a catalogue is XML or has several languages.
"""
