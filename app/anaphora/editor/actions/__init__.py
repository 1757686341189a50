"""The actions of the window: their texts, keys and key presets. May import `appearance`."""
