"""The open project with its undo history: opening, closing, saving, exporting, changing its documents.

May import every package but `views` and `main`; no widgets."""
