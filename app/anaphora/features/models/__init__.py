"""Installed models, and the project's choice of a model."""
