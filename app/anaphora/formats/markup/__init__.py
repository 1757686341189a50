"""XML and HTML, spliced at offsets: HTML pages, EPUB books, OpenDocument texts.

May import `base` and `segmentation`.
"""
