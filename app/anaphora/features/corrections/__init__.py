"""What the engine learned from confirmed texts, and taking it back."""
