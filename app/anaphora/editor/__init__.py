"""Parts of views: `table` → `widgets` → `actions` → `appearance`; a package imports only those after it."""
