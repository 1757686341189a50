"""Office Open XML packages: Word, PowerPoint and Excel; a paragraph consists of runs, each with a style."""
