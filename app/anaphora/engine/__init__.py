"""The engine's thread: its jobs, their order, what becomes of them when memory is short; models as files.

It knows of the engine only `api`, `types` and `errors`; no widgets.
"""
