"""The results page and its figures, from the runs' files. May import `experiments.measures`; no torch."""
