"""Widgets, delegates and painters that know nothing of the window around them."""
