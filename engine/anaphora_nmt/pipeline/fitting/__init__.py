"""Constants of a model's memories and of its estimate, fitted on texts."""
