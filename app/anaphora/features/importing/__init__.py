"""How a document is read, as the user chooses."""
