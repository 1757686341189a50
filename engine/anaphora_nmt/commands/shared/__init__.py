"""What several commands share: the embedded model's place."""
