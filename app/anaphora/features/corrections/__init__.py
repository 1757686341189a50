"""Corrections: learned from confirmed texts, with undo."""
