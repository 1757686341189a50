"""The table of segments with the current segment as a card, which contains the only editor."""
