"""Knowledge about texts and languages without torch, Qt or a model, shared by the engine and the app."""
