"""Shared parts of the editor's tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from anaphora.core.document import Document
from anaphora.core.segment import Segment
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.table.segment_model import SegmentModel
from anaphora.editor.table.segment_table import SegmentTable
from anaphora.project.document.editing import Editing
from anaphora.project.document.session import DocumentSession


@pytest.fixture
def table_of(qtbot, qapp) -> Callable[[Sequence[Segment]], Any]:
    """Makes a table without a window, with the first segment in the editor."""

    def make(segments: Sequence[Segment]) -> Any:
        model = SegmentModel()
        result: Any = SegmentTable(model, Theme(qapp))
        result.session = DocumentSession("d", Document("d", segments))
        result.editing = Editing(result.session)
        result.model_held = model
        result.editor.typed.connect(result.editing.type_text)
        qtbot.addWidget(result)
        result.resize(900, 400)
        result.show()
        model.set_session(result.session)
        result.go_to_row(0)
        return result

    return make
