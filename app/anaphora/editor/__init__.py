"""What views are made of: `table` → `widgets` → `actions` → `appearance`; each imports those behind it."""
