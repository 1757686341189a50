"""The search for drafts of prepared sources."""
