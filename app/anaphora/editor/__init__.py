"""Parts of views: `table` → `widgets` → `actions` → `appearance`; each imports only later ones."""
