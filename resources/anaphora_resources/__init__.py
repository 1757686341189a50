"""Data files of the product: model, interface translations, guide, icons, style sheet, rules and sample.

The package contains no code. Read its files through `importlib.resources`.
"""
