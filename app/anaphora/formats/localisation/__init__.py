"""Catalogues of programs: keys and strings; files of Qt and String Catalogs also contain translations."""
