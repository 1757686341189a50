"""Subtitles: cues with times, one segment each."""
