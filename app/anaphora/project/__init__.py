"""The open project: its file and document, opening, changing, saving, backups, rescuing damaged files.

No widgets.
"""
