"""A bilingual dictionary: entries for words of the current segment, and hints for drafts."""
