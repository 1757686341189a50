"""Encoders, decoders, the translation model with memories, and model folders.

The modules may import `memory` and `nn` with their dependencies, but not `search`.
"""
