"""Memory packs: what was confirmed in other projects, for this one's drafts."""
