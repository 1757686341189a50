"""Measures of translations and of models that only the papers' comparisons need.

May import `anaphora_nmt` and `experiments.systems`.
"""
