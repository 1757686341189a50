"""Every system on one GPU, in calls of a few minutes.

May import everything of the laboratory.
"""
