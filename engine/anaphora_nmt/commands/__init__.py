"""The subcommands of `anaphora-nmt`: a module of each; what several of them share stands in `shared`."""
