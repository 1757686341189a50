"""Writing translated documents, where to, and what they will look like."""
