"""Knowledge about texts and languages, shared by engine and app; it needs no torch, Qt or model."""
