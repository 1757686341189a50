"""Wider text than documentation, one script a module: `python -m experiments.general.NAME`."""
