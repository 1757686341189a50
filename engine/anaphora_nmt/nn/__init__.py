"""Layers, and states of decoders. The modules may import `text`, `data` and `config`, but not `models`.

Shape letters everywhere: B batch, S source length, T target length, V vocabulary, D model width, E embedding
width, C context width, K memory slots or cached words, H heads, N rows (hypotheses, or selected positions).
"""
