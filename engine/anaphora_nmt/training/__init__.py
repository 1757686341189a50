"""Configured training runs: first the base model, then its memories."""
