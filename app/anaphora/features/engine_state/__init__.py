"""Whether the engine is there, what it lacks, and how far the drafts are."""
