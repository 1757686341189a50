"""The checks: remarks about segments, issues, dismissed remarks and quick fixes.

`segment` holds those that look at one segment.
"""
