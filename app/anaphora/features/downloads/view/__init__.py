"""The list of available models, as a dialog."""
