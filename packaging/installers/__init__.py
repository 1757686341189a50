"""Builders for `packaging/build.py`: the program's folder, and installers made from it."""
