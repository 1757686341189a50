"""The language of an open window changes at once: it reads like a window made in that language."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QDialog, QTabWidget, QTreeWidget, QWidget

from anaphora.application.languages import Language, install_language
from anaphora.core.text import has_han
from anaphora.views.appearance.retranslation import PROPERTIES, Retranslator
from anaphora.views.widgets.filter_chips import Shown

DIALOGS = ("guide", "report", "keys", "terms", "sentence_rules", "export", "about", "models")


@pytest.fixture(autouse=True)
def english_again(qapp) -> Iterator[None]:
    """The tests that follow read English."""
    yield
    install_language(qapp, Language.ENGLISH)


def path_of(made: QObject | None) -> str:
    """Where an object stands in its window."""
    names = []
    while made is not None:
        names.append(f"{type(made).__name__}{made.objectName()}")
        made = made.parent()
    return "/".join(reversed(names))


def texts_of(window: QWidget) -> list[tuple[str, str, str]]:
    """(place, property, text) of everything in a window, hidden or not."""
    found = []
    for made in window.findChildren(QObject):
        if isinstance(made, QWidget | QAction):
            values = [(name, made.property(name)) for name in PROPERTIES]
            found += [(path_of(made), name, text) for name, text in values if isinstance(text, str) and text]
        if isinstance(made, QComboBox):
            found += [(path_of(made), "item", made.itemText(at)) for at in range(made.count())]
        if isinstance(made, QTabWidget):
            found += [(path_of(made), "tab", made.tabText(at)) for at in range(made.count())]
        if isinstance(made, QTreeWidget):
            header = made.headerItem()
            found += [(path_of(made), "header", header.text(at)) for at in range(made.columnCount())]
    # The other window adds its copy to the recent documents.
    return sorted(each for each in found if "RecentRow" not in each[0] and not each[2].endswith(".zh.txt"))


def language_actions(window) -> dict[str, QAction]:
    texts = ("&English", "简体中文(&C)")
    return {each.text(): each for each in window.findChildren(QAction) if each.text() in texts}


def settle(qtbot, window) -> None:
    qtbot.waitUntil(lambda: window.inspector.explanation is not None, timeout=20000)
    qtbot.waitUntil(lambda: bool(window.suggester.offers), timeout=20000)
    qtbot.waitUntil(lambda: window.docks.consistency.terms.topLevelItemCount() > 0, timeout=20000)
    checks = window.services.checking
    qtbot.waitUntil(lambda: not (checks._running or checks._compare.isActive()), timeout=20000)
    qtbot.wait(300)


def differences(found, wanted) -> list[tuple[str, str, str]]:
    left = list(wanted)
    missing = []
    for each in found:
        left.remove(each) if each in left else missing.append(each)
    return missing


def test_a_window_switches_both_ways(qtbot, make_window, document, drafted, tmp_path):
    window = make_window(None, document)
    drafted(window)
    settle(qtbot, window)
    window.table.go_to_row(2)
    settle(qtbot, window)
    window.table.editor.put_caret(3)
    english = texts_of(window)
    language_actions(window)["简体中文(&C)"].trigger()
    settle(qtbot, window)
    switched = texts_of(window)
    assert window.state.language is Language.CHINESE and window.table.editor.caret == 3
    assert window.table.card.confirm.text() == "确认   Ctrl+↵"

    assert window.services.settings.finish(20)
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    assert settings.value("language") == "zh_CN"
    # A document is open in one window at a time.
    (tmp_path / "copy").mkdir()
    fresh = make_window(None, Path(shutil.copy(document, tmp_path / "copy")))
    drafted(fresh)
    settle(qtbot, fresh)
    fresh.table.go_to_row(2)
    settle(qtbot, fresh)
    fresh.table.editor.put_caret(3)
    assert "\n".join(map(str, differences(switched, texts_of(fresh)))) == ""
    fresh.close()

    language_actions(window)["&English"].trigger()
    settle(qtbot, window)
    assert "\n".join(map(str, differences(texts_of(window), english))) == ""


def test_open_dialogs_switch_too_and_numbers_keep_their_plurals(qtbot, make_window, document, drafted, qapp):
    window = make_window(None, document)
    drafted(window)
    for name in DIALOGS:
        window.actions_by_name[name].trigger()
        qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(QDialog)), timeout=20000)
        (dialog,) = [each for each in window.findChildren(QDialog) if each.isVisible()]
        before, title = texts_of(dialog), dialog.windowTitle()
        window.state.choose_language(Language.CHINESE)
        assert has_han(dialog.windowTitle()), name
        window.state.choose_language(Language.ENGLISH)
        assert dialog.windowTitle() == title
        assert differences(texts_of(dialog), before) == [], name
        dialog.close()
        qapp.processEvents()
    counts = {Shown.CHANGED: 1}
    window.strip.show_counts(counts)
    assert window.strip.review.text().startswith("1 draft changed")
    window.state.choose_language(Language.CHINESE)
    assert window.strip.review.text().startswith("1 条草稿")
    window.strip.show_counts({Shown.CHANGED: 2})
    window.state.choose_language(Language.ENGLISH)
    assert window.strip.review.text().startswith("2 drafts changed")


def test_texts_of_the_document_are_left_alone():
    into = Retranslator(Language.CHINESE)
    assert into.text("账本.docx", ("MainWindow",)) == "账本.docx"
    assert into.text("Open the door", ("StartPage",)) == "Open the door"
    assert into.text("Open the sample", ("StartPage",)) == "打开示例文档"
