"""The steps of the undo history.

May import `core`, `services` and `resegmentation`; no widgets."""
