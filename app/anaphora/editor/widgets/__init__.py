"""Widgets, delegates and painters that do not depend on the window."""
