"""Parts of views. Of `table`, `widgets`, `actions` and `appearance`, each imports only those after it."""
