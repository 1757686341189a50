"""The engine's thread, its jobs and their order, shortages of memory, files of models and memory packs.

May import only `api`, `types` and `errors` of the engine; no widgets.
"""
