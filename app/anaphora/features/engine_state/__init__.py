"""State of the engine: availability, problems and progress."""
