"""The subcommands of `python -m experiments`: each module adds its arguments and runs.

May import everything of the laboratory but `gpu`.
"""
