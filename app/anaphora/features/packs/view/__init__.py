"""Memory packs in the window."""
