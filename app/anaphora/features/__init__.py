"""One package per feature: its logic, and in `view` its widgets.

A feature may import the rooms below and the features below it in the contract of pyproject.toml.
"""
