"""Texts for a model: normalisation, words, vocabularies, and what is protected from translation.

What is known about languages without a model is `anaphora_text`. May import `config`, `types` and `errors`;
no torch.
"""
