"""Writing translated documents to files, and the destinations that are allowed."""
