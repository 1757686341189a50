"""What is known about texts and languages, shared by the engine and the app.

A number, a script or a mark is read here once. Below everything: no torch, no Qt, no model, and nothing of
`anaphora` or `anaphora_nmt` is imported (a contract in `pyproject.toml`).
"""
