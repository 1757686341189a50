"""Plain text and its markup languages: txt, Markdown and MDX.

May import `base` and `segmentation`.
"""
