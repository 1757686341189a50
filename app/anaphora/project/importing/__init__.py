"""From files to documents: which files, by which segmentation rules, and originals that change."""
