"""The subcommands of `anaphora-nmt`: each module adds its arguments and runs."""
