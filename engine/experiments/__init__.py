"""Comparisons of published systems, and the recipe of the embedded model.

It imports `anaphora_nmt`, never the reverse, and is not in the wheel. `python -m experiments` lists the
commands; see README.md.
"""
