"""What is known of an open document: its segments, its memory, its corrections and the drafts that stand."""
