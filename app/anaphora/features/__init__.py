"""One package per feature, with its logic, and its widgets in `view`.

A feature may import the packages and features below it in the contracts of pyproject.toml.
"""
