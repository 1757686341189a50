"""Scores of translations and their significance, for `anaphora-nmt evaluate`; torch-free."""
