"""Plain text with marks in it: txt and Markdown.

May import `base` and `segmentation`.
"""
