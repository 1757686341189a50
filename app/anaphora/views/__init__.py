"""What views are made of: `editor` → `widgets` → `actions` → `appearance`; each imports those behind it."""
