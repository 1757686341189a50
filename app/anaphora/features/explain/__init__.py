"""Effects of the engine's memory on drafts, with reasons."""
