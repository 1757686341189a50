"""The subcommands of `python -m experiments`: each module adds its arguments and runs."""
