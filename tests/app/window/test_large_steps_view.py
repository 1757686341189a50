"""A step that changes thousands of segments blocks editing in the window, and is complete or undone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from anaphora.features.documents.feature import Documents
from anaphora.project.document.editing import NewText

COUNT = 4000


@pytest.mark.slow
@pytest.mark.parametrize("is_closed", [True, False], ids=["broken off", "whole"])
def test_a_large_step_is_carried_out_completely_or_not_at_all(
    qtbot, make_window, tmp_path: Path, is_closed: bool
) -> None:
    document = tmp_path / "long.txt"
    document.write_text("\n".join(f"这是第{number}句。" for number in range(COUNT)), encoding="utf-8")
    window = make_window(None, document, False)
    controller, editor = window.controller, window.table.editor
    QTest.keyClicks(editor, "Mine.")
    assert controller.flush(10)
    steps = controller.editing.large
    ended: list[int] = []
    texts = [NewText(each.id, each.target, f"text {each.id}") for each in controller.session.document]
    controller.editing.change_many(texts, "replacing", ended.append)
    dialog = window.of(Documents).presenter.large_steps.progress.dialog
    assert (dialog.windowTitle(), dialog.text) == ("Changing many segments", "Replacing…")
    assert dialog.isModal() and not dialog.windowHandle().isVisible(), "no dialog flashes"
    with qtbot.waitSignal(steps.progressed, timeout=60000):
        pass
    if is_closed:  # at once, because the step continues meanwhile
        assert steps.is_under_way
        controller.close()
    else:
        QTest.keyClick(window.windowHandle(), Qt.Key.Key_X)
        qtbot.waitUntil(lambda: bool(ended), timeout=60000)
        assert ended == [COUNT]
        controller.close()
    qtbot.waitUntil(window.close, timeout=20000)
    again = make_window(None, document, False)
    kept = [(each.id, each.target) for each in again.session.document]
    if is_closed:
        assert [target for _, target in kept if target] == ["Mine."]
    else:
        assert all(target == f"text {key}" for key, target in kept)
