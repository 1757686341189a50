"""Tabs for the project's documents."""
