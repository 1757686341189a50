"""What the engine's memory did for a draft, and why."""
