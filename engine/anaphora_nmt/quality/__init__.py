"""How good a draft is likely to be: what its making shows, and a small model that was fitted on it."""
