"""What the translated document will look like."""
