"""What the translator says about the memory."""
