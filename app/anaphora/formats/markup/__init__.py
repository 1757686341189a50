"""XML and HTML, in which texts are replaced at their offsets: HTML pages, EPUB books, OpenDocument texts."""
