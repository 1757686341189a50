"""The preview before one text replaces others in many segments."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QCheckBox, QWidget

from anaphora.core.previews import Preview
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.changes import ChangeRow, ChangesDialog
from anaphora.editor.widgets.dialogs import stack, wrapped
from anaphora.editor.widgets.panel import NumberOf


def preview_row(preview: Preview, number_of: NumberOf) -> ChangeRow:
    texts = preview.before, preview.after
    return ChangeRow(preview, number_of(preview.segment), preview.before, texts, preview.tags)


class RenderingPreview(ChangesDialog):
    """Shows the changes before one rendering of a term, or a replacement, is applied."""

    def __init__(
        self,
        term: str,
        rendering: str,
        previews: Sequence[Preview],
        number_of: NumberOf,
        theme: Theme,
        parent: QWidget | None = None,
        about_replacing: str = "",
    ) -> None:
        title = self.tr("Replace all") if about_replacing else self.tr("Use one rendering")
        headings = self.tr("No."), self.tr("Now"), self.tr("After")
        apply = self.tr("Change 1 segment"), self.tr("Change {0} segments")
        super().__init__(theme, title, headings, apply, parent)
        text = self.tr(
            "“{0}” will be translated as “{1}” in these segments. Human translations change only "
            "where you select them."
        )
        self.about = wrapped(about_replacing or text.format(term, rendering))
        self.keep = QCheckBox(self.tr("Keep “{0}” in the project's term base").format(rendering))
        self.keep.setChecked(True)
        self.keep.setHidden(bool(about_replacing))
        stack(self, self.about, self.list, self.keep, self.buttons, grows=self.list)
        rows = [preview_row(preview, number_of) for preview in previews]
        for row in rows:
            row.is_checked = not row.value.is_written
            row.tip = self.tr("human translation") if row.value.is_written else ""
        self.model.show_rows(rows)
