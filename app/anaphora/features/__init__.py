"""One package per feature, with the feature's logic; the subpackage `view` contains its widgets.

Pyproject.toml lists the features in layers. A feature may import only features and packages in lower layers.
"""
