"""What the views of all features are made of, and the table of segments.

`editor` → `widgets` → `actions` → `appearance`; each imports those behind it.
"""
