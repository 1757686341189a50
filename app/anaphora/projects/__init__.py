"""The open project: opening, saving, backups, changing its documents, rescuing damaged ones."""
