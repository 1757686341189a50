"""The window's actions and menu entries, their keys and key presets. Imports `appearance`."""
