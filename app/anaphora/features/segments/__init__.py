"""Actions on segments: confirming, copying, joining, splitting."""
