"""The window's actions and menu entries, their keys and key presets. May import `appearance`."""
