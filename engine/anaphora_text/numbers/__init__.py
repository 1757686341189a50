"""Numbers in Chinese and English texts: how they are read, compared, and written in English."""
