"""State of an open document: its segments, its memory, its corrections and its current drafts."""
