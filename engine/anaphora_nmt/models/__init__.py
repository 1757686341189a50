"""Encoders, decoders, the translation model with memories, and model folders.

May import `memory` and `nn` with their dependencies, but not `search`.
"""
