"""What the status line says of the engine."""
