"""Qt item models: they hold ids and fetch rows when asked.

May import `core` and `services`."""
