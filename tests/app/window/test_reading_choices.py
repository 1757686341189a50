"""Choosing columns and placeholders for reading a document in the window."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.features.importing.view.reading_choices import ReadingChoicesDialog

TABLE = "sku,名称,描述\n1,红茶@@甲@@,好喝的一种茶\n2,绿茶,不错\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "goods.csv"
    path.write_text(TABLE, "utf-8")
    return path


def dialog_of(qtbot, window) -> ReadingChoicesDialog:
    def found() -> list[ReadingChoicesDialog]:
        return [each for each in window.findChildren(ReadingChoicesDialog) if each.isVisible()]

    qtbot.waitUntil(lambda: bool(found()), timeout=20000)
    return found()[0]


def sources(window) -> list[str]:
    return [window.model.segment(row).source for row in range(window.model.rowCount())]


def test_a_new_table_asks_for_its_columns_and_patterns_are_checked(qtbot, make_window, table):
    window = make_window(None, table)
    dialog = dialog_of(qtbot, window)
    assert dialog.columns.chosen.sources == (1, 2)
    assert sources(window) == ["名称", "描述", "红茶@@甲@@", "好喝的一种茶", "绿茶", "不错"]
    dialog.columns.sources.item(2).setCheckState(dialog.columns.sources.item(0).checkState())
    dialog.columns.target.setCurrentIndex(3)
    dialog.columns.has_header.setChecked(True)
    dialog.patterns.setPlainText("@@(")
    dialog.accept()
    assert dialog.isVisible(), "the pattern is invalid"
    dialog.patterns.setPlainText(r"@@\w+@@")
    with qtbot.waitSignal(window.controller.opened, timeout=20000):
        dialog.accept()
    assert sources(window) == ["红茶{1/}", "绿茶"]
    assert [window.model.segment(row).target for row in range(2)] == ["好喝的一种茶", "不错"]
    (document,) = window.controller.project.documents
    assert document.choices.placeholders == (r"@@\w+@@",)
    assert not [each for each in window.findChildren(ReadingChoicesDialog) if each.isVisible()]


def test_texts_with_new_placeholders_stay_in_the_document(qtbot, make_window, tmp_path):
    """Their sentences must be found although the placeholders change their length."""
    path = tmp_path / "a.html"
    path.write_text("<p>你好 [[NAME]]。再见 [[NAME]]！</p><p>没有。</p>", "utf-8")
    window = make_window(None, path)
    qtbot.waitUntil(lambda: window.model.rowCount() == 3, timeout=20000)
    for pattern, expected in ((r"\[\[\w+\]\]", "{1/}"), ("", "[[NAME]]")):
        window.actions_by_name["reading_choices"].trigger()
        dialog = dialog_of(qtbot, window)
        dialog.patterns.setPlainText(pattern)
        with qtbot.waitSignal(window.controller.opened, timeout=20000):
            dialog.accept()
        assert sources(window) == [f"你好 {expected}。", f"再见 {expected}！", "没有。"]
        qtbot.waitUntil(
            lambda: not [each for each in window.findChildren(ReadingChoicesDialog) if each.isVisible()]
        )
