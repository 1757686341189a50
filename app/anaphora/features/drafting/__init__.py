"""Machine drafts: their order and changes, completion while typing, and suggestions."""
