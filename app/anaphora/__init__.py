"""The translation editor: the app without the engine.

Packages may import each other by the contracts in pyproject.toml, and of the engine only `api`, `types` and
`errors`."""
