"""The actions on segments, and the sentence rules."""
