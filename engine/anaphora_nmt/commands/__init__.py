"""The subcommands of `anaphora-nmt`: a module of each, with its arguments and what it runs.

May import everything of the engine; `embedded`, `memories` and `search_arguments` are what
several of them share.
"""
