"""Scores of translations and their significance: what `anaphora-nmt evaluate` prints. No torch."""
