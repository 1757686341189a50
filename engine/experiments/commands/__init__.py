"""The subcommands of `python -m experiments`, one in each module."""
