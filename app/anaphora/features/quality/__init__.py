"""How sure a draft is."""
