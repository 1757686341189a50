"""The discourse panel."""
