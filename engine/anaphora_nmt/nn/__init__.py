"""Layers. Shape letters everywhere: B batch, S source length, T target length, V vocabulary,
D model width, E embedding width, C context width, K memory slots or cached words, H heads."""
