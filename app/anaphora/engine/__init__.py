"""The engine's thread, jobs, queue and device, and the files of models and memory packs.

May import only `api`, `types` and `errors` of the engine; no widgets.
"""
