"""The laboratory: what the papers' comparisons take. May import `anaphora_nmt`, which never imports it.

Not in the wheel; `python -m experiments` lists the commands, README.md shows the way.
"""
