"""The checks: what they say of a segment, what counts as an issue, what was dismissed, and quick fixes.

`segment` holds those that look at one segment.
"""
