"""A package for each thing that the editor does: what it computes, and in `view` what of it is shown.

A feature may import the rooms below and the features below it in the contract of pyproject.toml.
"""
