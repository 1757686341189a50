"""Wider text than documentation, a module for each step, and the recipe of the model that ships."""
