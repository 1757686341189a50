"""Training runs: the base model, then memories on it, as a configuration says."""
