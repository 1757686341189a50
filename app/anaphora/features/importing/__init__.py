"""The user's choices for reading a document."""
