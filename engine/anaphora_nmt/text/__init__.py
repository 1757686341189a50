"""Texts: normalisation, words, vocabularies, and what is protected from translation.

May import `config`, `types` and `errors`; no torch.
"""
