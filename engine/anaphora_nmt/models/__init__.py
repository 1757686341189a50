"""Encoders, decoders, and the translation model with memories; how a model is stored.

May import `memory`, `nn` and what those may. Knows nothing of search.
"""
