"""Configured training runs: the first pass trains the base model, the second pass its memories."""
