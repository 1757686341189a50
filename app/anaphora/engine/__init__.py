"""The engine's thread, jobs, queue and device, and the files of models and memory packs.

It may import only `api`, `types` and `errors` from the package `anaphora_nmt`, and no widgets.
"""
