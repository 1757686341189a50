"""The parts of the status line that tell of the engine, and banners that tell what it lacks."""
