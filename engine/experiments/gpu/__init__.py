"""Every system on one GPU, in calls of a few minutes."""
