"""Confirmation of a segment in the window."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from anaphora.window.main_window import MainWindow


def confirm_row(window: MainWindow, row: int) -> None:
    """Go to a segment, type a translation, and confirm it."""
    editing, session = window.controller.editing, window.session
    assert editing is not None and session is not None
    segment = session.document.at(row).id
    window.table.go_to_row(row)
    editing.type_text(segment, f"What segment {row + 1} says in English.")
    assert editing.confirm(segment)
    QApplication.processEvents()
