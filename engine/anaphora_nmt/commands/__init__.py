"""The subcommands of `anaphora-nmt`, one in each module."""
