"""What the engine's memory did for a draft, what the translator says about it, and memory packs.

No widgets but in `view`.
"""
