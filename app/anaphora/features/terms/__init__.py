"""Term bases, recurring terms, their renderings, and replacing all renderings by one."""
