"""From prepared sources to drafts."""
