"""Keys of the editor, and find and replace, with their messages."""

from __future__ import annotations

import platformdirs
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from anaphora.core.segment import SegmentState, Status
from anaphora.features.documents.feature import Documents
from anaphora.features.export.view.dialog import ExportDialog
from anaphora.features.find.feature import Find

CUES = """1
00:00:01,000 --> 00:00:03,000
账本保存交易。
每个节点读取它。

2
00:00:04,000 --> 00:00:06,000
好的。
"""


@pytest.fixture
def window(qtbot, make_window, document):
    result = make_window(None, document, start=False)
    qtbot.waitUntil(lambda: result.table.card.isVisible(), timeout=20000)
    return result


def set_targets(window, *targets: str) -> list[str]:
    ids = [window.model.segment(row).id for row in range(len(targets))]
    states = {each: SegmentState(text, Status.EDITED) for each, text in zip(ids, targets, strict=True)}
    window.session.set_states(states)
    return ids


# Enter


def test_enter_inserts_a_line_break_in_a_subtitle(qtbot, make_window, tmp_path) -> None:
    path = tmp_path / "film.zh.srt"
    path.write_text(CUES, encoding="utf-8")
    window = make_window(None, path, start=False)
    editor = window.table.editor
    QTest.keyClicks(editor, "The ledger keeps transactions.")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "Each node reads it.")
    target = "The ledger keeps transactions.\nEach node reads it."
    assert window.session.document.at(0).state == SegmentState(target, Status.EDITED)
    out = tmp_path / "film.en.srt"
    window.of(Documents).exporting.export(out)
    qtbot.waitUntil(out.exists, timeout=30000)
    assert target in out.read_text("utf-8").replace("\r\n", "\n")


def test_enter_elsewhere_shows_the_keys_to_confirm_and_break_a_line(window) -> None:
    editor = window.table.editor
    QTest.keyClicks(editor, "One")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.toPlainText() == "One" and window.model.segment(0).status is Status.EDITED
    message = window.status_line.currentMessage()
    assert "Ctrl+↵" in message and "Shift+↵" in message


# Find and replace


def find(qtbot, window, needle: str, replacement: str) -> None:
    bar = window.of(Find).bar
    bar.open(True)
    bar.needle.setText(needle)
    bar.replacement.setText(replacement)
    qtbot.waitUntil(lambda: bool(window.of(Find).finder.hits), timeout=30000)


def test_a_replacement_keeps_capitals(qtbot, window) -> None:
    set_targets(window, "Ledgers are ledgers.", "A LEDGER.")
    find(qtbot, window, "ledger", "register")
    window.of(Find).bar.replace_all.click()
    qtbot.waitUntil(lambda: window.of(Find).finder.preview is not None, timeout=10000)
    window.of(Find).finder.preview.apply_button.click()
    assert [window.model.segment(row).target for row in range(2)] == [
        "Registers are registers.",
        "A REGISTER.",
    ]


def test_a_warning_comes_before_segments_lose_their_confirmation(qtbot, window) -> None:
    first, _ = set_targets(window, "The ledger.", "A ledger.")
    window.controller.editing.confirm(first)
    find(qtbot, window, "ledger", "register")
    bar = window.of(Find).bar
    bar.replace_one.click()
    assert window.session.document.at(0).state == SegmentState("The ledger.", Status.CONFIRMED)
    qtbot.waitUntil(lambda: "confirmed" in bar.status.text(), timeout=10000)
    bar.with_confirmed.setChecked(True)
    bar.replace_one.click()
    qtbot.waitUntil(lambda: window.of(Find).finder.preview is not None, timeout=10000)
    assert window.session.document.at(0).status is Status.CONFIRMED, "nothing changes before the user agrees"
    assert "become unconfirmed: 1." in window.of(Find).finder.preview.about.text()
    window.of(Find).finder.preview.reject()
    bar.replace_all.click()
    qtbot.waitUntil(lambda: window.of(Find).finder.preview is not None, timeout=10000)
    assert "become unconfirmed: 1." in window.of(Find).finder.preview.about.text()
    window.of(Find).finder.preview.apply_button.click()
    assert [window.session.document.at(row).state for row in range(2)] == [
        SegmentState("The register.", Status.EDITED),
        SegmentState("A register.", Status.EDITED),
    ]
    assert "confirm these segments again" in bar.with_confirmed.toolTip()


# Tags


def test_no_tag_is_put_inside_a_word(qtbot, make_window, tmp_path) -> None:
    path = tmp_path / "a.zh.md"
    path.write_text("更新**缓存**和`账本`。\n", encoding="utf-8")
    window = make_window(None, path, start=False)
    editor = window.table.editor
    set_targets(window, "Update cache and ledger.")
    editor.put_caret(len("Update ca"))
    window.actions_by_name["insert_tag"].trigger()
    assert editor.toPlainText() == "Update {1}cache and ledger."
    editor.put_caret(len("Update {1}cac"))
    window.actions_by_name["insert_tag"].trigger()
    assert editor.toPlainText() == "Update {1}cache{/1} and ledger."
    set_targets(window, "Update cache and ledger.")
    cursor = editor.textCursor()
    cursor.setPosition(len("Update c"))
    cursor.setPosition(len("Update cach"), QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    window.actions_by_name["insert_pair"].trigger()
    assert editor.toPlainText() == "Update {1}cache{/1} and ledger."


# Export


def test_the_export_of_the_sample_goes_to_the_users_documents(
    qtbot, make_window, monkeypatch, tmp_path
) -> None:
    documents = tmp_path / "Documents"
    documents.mkdir()
    monkeypatch.setattr(platformdirs, "user_documents_path", lambda: documents)
    window = make_window(None, None, start=False)
    window.of(Documents).open_sample()
    qtbot.waitUntil(lambda: window.table.currentIndex().row() >= 0, timeout=30000)
    window.actions_by_name["export"].trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(ExportDialog)), timeout=30000)
    (dialog,) = window.findChildren(ExportDialog)
    assert dialog.field.place == documents / "sample.en.md"
    dialog.accept()
    qtbot.waitUntil((documents / "sample.en.md").exists, timeout=30000)
    qtbot.waitUntil(window.of(Documents).exported_bar.isVisible, timeout=30000)
