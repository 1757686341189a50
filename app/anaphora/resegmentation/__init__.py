"""Merging and splitting segments: the plan, the service that makes it, the undoable command.

May import `core`, `formats`, `store`, `services` and Qt; no widgets."""
