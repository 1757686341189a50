"""Subtitles: cues with times, one segment each.

May import `base` and `segmentation`.
"""
