"""Explanations of the words of a target."""
