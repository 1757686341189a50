"""A package for each feature, with the feature's logic, and with its widgets in the subpackage `view`.

Pyproject.toml lists the features in layers. A feature may import only features and packages in lower layers.
"""
