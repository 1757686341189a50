"""Comparisons of published systems, and the recipe of the embedded model; the engine never imports it.

It is not in the wheel. `python -m experiments` lists the commands; see README.md.
"""
