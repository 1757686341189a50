"""The translation editor: the app without the engine.

The contracts in pyproject.toml limit the imports between packages; the app may import only `api`, `types` and
`errors` from the engine."""
