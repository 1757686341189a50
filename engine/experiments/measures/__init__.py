"""Test sets and their texts that only the papers' comparisons need.

May import `anaphora_nmt` and `experiments.systems`.
"""
