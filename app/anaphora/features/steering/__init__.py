"""The user's rules for the memory, and the timeline."""
