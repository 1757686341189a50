"""Numbers in Chinese and English texts: their meanings, and their English renderings."""
