"""Prepare texts for a model: normalisation, tags, words, names, vocabularies, and protected strings.

Language rules that do not depend on a model are in `anaphora_text`. This package may import `config`, `types`
and `errors`, but not torch.
"""
