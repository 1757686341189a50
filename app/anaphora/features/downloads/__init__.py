"""Available models: listing, downloading and installing them.

No connection is opened before the user clicks a button or runs a command.
"""
