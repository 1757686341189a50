"""The engine's thread with its jobs, their order and shortages of memory; models as files.

May import only `api`, `types` and `errors` of the engine; no widgets.
"""
