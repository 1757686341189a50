"""Machine drafts: what is drafted when, what changed, completion and suggestions."""
