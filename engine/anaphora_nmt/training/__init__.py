"""Training runs by configuration: the base model, then memories on it."""
