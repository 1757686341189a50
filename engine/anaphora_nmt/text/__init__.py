"""Texts for a model: normalisation, tags, words, names, vocabularies, and protected strings.

Knowledge about languages that needs no model is in `anaphora_text`. May import `config`, `types` and
`errors`, but not torch.
"""
