"""Segments, terms and targets in the form that the model reads."""
