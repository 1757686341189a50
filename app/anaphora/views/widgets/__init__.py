"""Widgets, delegates and painters that know nothing of the window around them.

May import `actions` and `appearance`, and the types of the layers below the views."""
