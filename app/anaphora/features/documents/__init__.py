"""The project's documents in the window: their panel, backups, reports."""
