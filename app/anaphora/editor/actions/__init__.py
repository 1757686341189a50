"""The actions of the window: their texts, keys, and sets of keys. May import `appearance`."""
