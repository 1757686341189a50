"""Downloading models in the window: the dialog, and the offer on the start page."""
