"""The thread of the engine: its jobs, their order, and what becomes of them when memory is short.

It knows of the engine only `api`, `types` and `errors`; no widgets.
"""
