"""A bilingual dictionary: what words are called in general, and the hints that drafts get from it."""
