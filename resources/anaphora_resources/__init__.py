"""What the product needs besides code: model, translations of the interface, icons, styles, rules, a sample.

Holds no code; it is read with `importlib.resources`.
"""
