"""Comparisons of published systems, and the recipe of the embedded model.

The wheel omits this package, and the engine never imports it. README.md describes the commands.
"""
