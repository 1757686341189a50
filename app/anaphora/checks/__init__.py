"""The checks: what they say of a segment, what counts as an issue, and quick fixes.

`segment` holds those that look at one segment. No widgets but in `view`.
"""
