"""Subtitles: cues with times, one segment each.

May import `base` and the tokens of `markup`.
"""
