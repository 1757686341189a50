"""Names, pronouns and narration of a document, and inconsistencies in their translations."""
