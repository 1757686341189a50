"""Actions on segments: moving, confirming, editing, joining and splitting; sentence rules."""
