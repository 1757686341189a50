"""Checks of segments: remarks, issues, dismissed remarks and quick fixes; `segment` checks one segment."""
