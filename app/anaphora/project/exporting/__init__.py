"""From documents to files: what is written, and where it may go."""
