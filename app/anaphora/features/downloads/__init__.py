"""Available models: listing, downloading and installing them.

No connection is opened before the user requests a download, by a button or a command.
"""
