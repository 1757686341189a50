"""The subcommands of `anaphora-nmt`: a module of each, with its arguments and what it runs.

May import everything of the engine; what several of them share stands in `shared`.
"""
