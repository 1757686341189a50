"""Parts of views. A package imports only those after it: `table`, `widgets`, `actions`, `appearance`."""
