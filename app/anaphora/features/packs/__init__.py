"""Memory packs: confirmed segments of other projects, used for drafts."""
