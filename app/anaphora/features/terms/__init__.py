"""Term bases in use, terms that recur, how each is rendered, and one rendering for all."""
