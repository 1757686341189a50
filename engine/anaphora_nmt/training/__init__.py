"""Training runs: the base model, then memories on it, as a configuration says.

May import `search`, `models` and what those may.
"""
