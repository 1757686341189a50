"""Installed models, and which of them the project uses."""
