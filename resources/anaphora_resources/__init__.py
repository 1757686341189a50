"""Data files of the product: model, translations of the interface, icons, styles, rules, a sample.

The package contains no code; read it with `importlib.resources`.
"""
