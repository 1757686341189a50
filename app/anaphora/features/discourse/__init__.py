"""Who and what a document speaks of, and where its renderings contradict each other."""
