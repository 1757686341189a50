"""Tabs of the project's documents."""
