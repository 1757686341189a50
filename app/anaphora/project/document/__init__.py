"""The open document: its session, undoable steps, joining and splitting, comments, repetitions, progress."""
