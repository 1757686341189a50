"""The engine's thread, jobs, queue and device, and the files of models and memory packs.

Of the package `anaphora_nmt`, it may import only `api`, `types` and `errors`. It may not import widgets.
"""
