"""Conversion of segments, terms and targets into the model's input."""
