"""Texts for a model: normalisation, words, vocabularies, and what is protected from translation.

Knowledge about languages without a model is in `anaphora_text`. May import `config`, `types` and `errors`;
no torch.
"""
