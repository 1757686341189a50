"""Subtitles: cues with a time, each of them one segment.

May import `base` and `segmentation`.
"""
