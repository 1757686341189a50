"""The engine's part of the status line."""
