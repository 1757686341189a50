"""The open document: its session, the undoable steps, joining and splitting, comments, repetitions, progress.

No widgets; `view` shows it.
"""
