"""Checks of segments: remarks, issues, dismissed remarks and quick fixes.

The checks of a single segment are in `segment`.
"""
