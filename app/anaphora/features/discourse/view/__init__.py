"""The panel of the discourse."""
