"""Scripts for trials of the embedded model, one a module: `python -m experiments.trials.NAME`.

May import `anaphora_nmt` and the laboratory.
"""
