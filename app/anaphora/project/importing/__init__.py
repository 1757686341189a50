"""Reading documents from files: selection of files, sentence rules, and changes to the originals."""
