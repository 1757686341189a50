"""Train all systems on one GPU, in calls of a few minutes."""
