"""Parts of views: `table` → `widgets` → `actions` → `appearance`; each imports only those to its right."""
