"""Office Open XML packages: Word, PowerPoint and Excel; paragraphs are runs with a style.

Its modules may import `base` and `segmentation`.
"""
