"""Scores of translations and their significance: what `anaphora-nmt evaluate` prints.

May import `data`, `text` and `errors`; no torch.
"""
