"""The translator's rules for the memory."""
