"""Comparisons of published systems, and the recipe of the embedded model.

The engine never imports this package, and the wheel does not contain it. `python -m experiments` lists the
commands; see README.md.
"""
