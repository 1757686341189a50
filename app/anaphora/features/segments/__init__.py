"""What is done to segments: confirming, copying, joining, splitting."""
