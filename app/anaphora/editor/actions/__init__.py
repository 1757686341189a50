"""The window's actions and menu entries, and their keys. Imports `appearance`."""
