"""What a finished draft is worth."""
