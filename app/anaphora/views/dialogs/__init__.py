"""Dialogs: none of them blocks the window's event loop.

May import `widgets`, `actions` and `appearance`, and services."""
