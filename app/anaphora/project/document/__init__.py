"""The open document: session, undoable steps, joining and splitting, comments, repetitions, progress."""
