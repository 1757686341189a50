"""The table of segments, and the card, which shows the current segment and contains the only editor."""
