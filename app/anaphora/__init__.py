"""The translation editor: everything of the app that is not the engine.

May import its own packages in the order of the contracts in pyproject.toml, and of the engine only `api`,
`types` and `errors`."""
