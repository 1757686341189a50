"""Writing translated documents to allowed destinations."""
