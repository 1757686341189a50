"""Experiments: comparisons of systems from the papers. May import `anaphora_nmt`, which never imports it.

It is not in the wheel. `python -m experiments` lists the commands; see README.md.
"""
