"""The project's documents: opening, adding, removing and closing them; backups; reports."""
