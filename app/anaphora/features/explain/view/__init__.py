"""Explanations in the window: panels, marks, a section of the rail."""
