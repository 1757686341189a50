"""Reading documents from files: selecting files, sentence rules, and originals that change."""
