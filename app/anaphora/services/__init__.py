"""The app's work without a window: engine thread, drafting, saving, export, checks.

May import `core`, `formats`, `store`, the engine's `api`, `types` and `errors`, and QtCore; no widgets."""
