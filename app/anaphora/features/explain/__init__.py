"""Shows the effects of the engine's memory on drafts, and the reasons for their words."""
