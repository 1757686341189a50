"""The dialog to accept or reject each of a reviewer's changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.changes import ChangeRow, ChangesDialog
from anaphora.editor.widgets.dialogs import stack, wrapped
from anaphora.features.review.changes import ReviewChange, ReviewKind

PROPOSED = (ReviewKind.CHANGED, ReviewKind.COMMENT)
translate = QCoreApplication.translate


class ReviewDialog(ChangesDialog):
    """Lists changes with check boxes. Conflicts are unchecked; locked and missing rows have no box."""

    def __init__(
        self, name: str, changes: Sequence[ReviewChange], theme: Theme, parent: QWidget | None = None
    ) -> None:
        headings = (
            translate("ReviewModel", "No."),
            translate("ReviewModel", "Source"),
            translate("ReviewModel", "Change"),
            translate("ReviewModel", "Note"),
        )
        apply = self.tr("Accept 1 change"), self.tr("Accept {0} changes")
        super().__init__(theme, self.tr("Accept review changes"), headings, apply, parent)
        stack(self, wrapped(self._about(name, changes)), self.list, self.buttons, grows=self.list)
        self.model.show_rows([self._row(each) for each in changes])
        self.list.setFocus()

    def _row(self, change: ReviewChange) -> ChangeRow:
        note = {
            ReviewKind.CHANGED: "",
            ReviewKind.COMMENT: translate("ReviewModel", "Comment only"),
            ReviewKind.CONFLICT: translate("ReviewModel", "Also changed in this project"),
            ReviewKind.LOCKED: translate("ReviewModel", "Locked in this project"),
            ReviewKind.MISSING: translate("ReviewModel", "Not in this project"),
        }[change.kind]
        notes = "\n".join(part for part in (note, change.comments) if part)
        texts = change.source, change.after, notes
        is_checked = change.kind in PROPOSED if change.is_applicable else None
        return ChangeRow(change, change.number, change.before, texts, change.tags, is_checked)

    def _about(self, name: str, changes: Sequence[ReviewChange]) -> str:
        counts = Counter(change.kind for change in changes)
        parts = [self.tr("Rows of {0} that differ from the project: {1}.").format(name, len(changes))]
        if counts[ReviewKind.CONFLICT]:
            text = self.tr("Rows also changed in this project: {0}. Select the changes that you want.")
            parts.append(text.format(counts[ReviewKind.CONFLICT]))
        if counts[ReviewKind.MISSING]:
            text = self.tr("Rows not in this project: {0}.")
            parts.append(text.format(counts[ReviewKind.MISSING]))
        if counts[ReviewKind.LOCKED]:
            parts.append(self.tr("Rows locked in this project: {0}.").format(counts[ReviewKind.LOCKED]))
        return " ".join(parts)
