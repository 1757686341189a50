"""Office Open XML packages: Word, PowerPoint and Excel; paragraphs are runs with a style.

May import `base` and `segmentation`.
"""
