"""The open project: its file, its document, opening, changing, saving, backups, rescuing damaged ones.

No widgets.
"""
