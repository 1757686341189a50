"""Screen readers get names for the window and its dialogs, and the focus is always visible."""

from __future__ import annotations

import pytest
from accessible_tree import Role, nameless, node_of, tree_of
from PySide6.QtCore import QRect, QSysInfo, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit, QWidget

from anaphora.core.segment import Status
from anaphora.features.find.feature import Find

DIALOGS = (
    "guide",
    "report",
    "keys",
    "about",
    "models",
    "sentence_rules",
    "terms",
    "go_to",
    "statistics",
    "backups",
    "export",
    "export_all",
    "memory_rules",
    "packs",
    "memory_timeline",
)


@pytest.fixture
def window(make_window, document, drafted):
    QAccessible.setActive(True)
    found = make_window(None, document)
    drafted(found)
    yield found
    QAccessible.setActive(False)


@pytest.fixture
def read(window):
    """Reports changes of a widget since the last call: its name and description."""
    known: dict[QWidget, list[str]] = {}

    def new(widget: QWidget) -> list[str]:
        QApplication.processEvents()
        interface = node_of(QAccessible.queryAccessibleInterface(widget))
        now = [interface.name, interface.description]
        before, known[widget] = known.get(widget, ["", ""]), now
        return [text for text, old in zip(now, before, strict=True) if text != old]

    return new


def name_of(widget: QWidget) -> str:
    return node_of(QAccessible.queryAccessibleInterface(widget)).name


def test_each_segment_reads_number_state_source_and_target(window, document):
    window.actions_by_name["confirm"].trigger()
    QApplication.processEvents()
    cells = [each.name for each in tree_of(window.table) if each.role is Role.Cell]
    rows = [cells[at : at + 4] for at in range(0, len(cells), 4)]
    names = window.model.status_names()
    assert len(rows) == 12
    for number, (row, source) in enumerate(zip(rows, document.read_text("utf-8").split(), strict=True), 1):
        segment = window.model.segment(number - 1)
        status = names[segment.status]
        assert row == [f"Segment {number}, {status}", source, status, segment.target]
    assert rows[0][2] == names[Status.CONFIRMED] and rows[5][2] == names[Status.DRAFT]


def test_the_card_announces_its_segment(window, read):
    window.table.go_to_row(4)
    card, segment = window.table.card, window.model.segment(4)
    assert name_of(card) == "Segment 5, Machine draft"
    assert name_of(card.editor) == "Translation of segment 5, Machine draft"
    assert name_of(card.source) == "Source of segment 5"
    assert QAccessible.queryAccessibleInterface(card.editor).text(QAccessible.Text.Value) == segment.target
    # The editor keeps the focus, so its name and then its description must change.
    assert read(card.editor) == [
        "Translation of segment 5, Machine draft",
        f"{segment.source} {segment.target}",
    ]
    card.confirm.click()
    assert name_of(card.editor) == "Translation of segment 6, Machine draft"
    window.table.go_to_row(4)
    assert name_of(card.confirm) == "Next"


def test_the_editors_accessible_parents_are_the_card_and_the_table(window):
    """Qt's table lists only its cells; source, state and button are around the editor."""
    window.table.go_to_row(4)
    interface, names = QAccessible.queryAccessibleInterface(window.table.editor), []
    card = interface.parent()
    beside = [card.child(place).text(QAccessible.Text.Name) for place in range(card.childCount())]
    assert {"Source of segment 5", "Machine draft", "Confirm"} <= {*beside}
    while interface is not None:
        names.append(interface.text(QAccessible.Text.Name))
        interface = interface.parent()
    assert [name for name in names if name][:3] == [
        "Translation of segment 5, Machine draft",
        "Segment 5, Machine draft",
        "Segments",
    ]


def test_a_target_that_was_not_typed_is_announced(window, read):
    card, segment = window.table.card, window.model.segment(0)
    before = segment.target
    assert read(card.editor) == [
        "Translation of segment 1, Machine draft",
        f"{segment.source} {before}",
    ], "the draft came after the source"
    card.editor.selectAll()
    card.editor.insertPlainText("The register.")
    assert read(card.editor) == ["Translation of segment 1, Edited", ""], "typed text is not announced again"
    window.actions_by_name["undo"].trigger()
    assert read(card.editor) == ["Translation of segment 1, Machine draft", before]


def test_announcements_reach_screen_readers(window, monkeypatch):
    announced = []
    monkeypatch.setattr(QSysInfo, "kernelType", lambda: "darwin")
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: announced.append(event))
    window.table.go_to_row(4)
    segment = window.model.segment(4)
    messages = [event.message() for event in announced if event.type() == QAccessible.Event.Announcement]
    assert messages == [f"Segment 5, Machine draft. {segment.source} {segment.target}"]


def test_every_focusable_part_of_a_dialog_has_a_name_and_shows_the_focus(window, qtbot):
    unseen: dict[str, list[object]] = {}
    for action in DIALOGS:
        window.actions_by_name[action].trigger()
        qtbot.waitUntil(lambda: bool(visible_dialogs(window)), timeout=30000)
        (dialog,) = visible_dialogs(window)
        dialog.activateWindow()
        QApplication.processEvents()
        stops = tab_stops(dialog)
        assert stops, (action, "nothing can be reached by keyboard")
        problems: list[object] = [
            *nameless(dialog),
            *(stop for stop in stops if not shows_focus(dialog, stop)),
        ]
        if problems:
            unseen[action] = problems
        dialog.close()
        QApplication.processEvents()
    assert [f"{name}: {each}" for name, found in unseen.items() for each in found] == []


def visible_dialogs(window) -> list[QDialog]:
    return [each for each in window.findChildren(QDialog) if each.isVisible()]


def test_everything_in_the_window_has_a_name_and_shows_the_focus(window):
    window.of(Find).bar.open(True)
    window.docks.raise_panel("documents")
    window.activateWindow()
    unseen: dict[str, list[object]] = {}
    known: set[QWidget] = set()
    for name in ("why", "consistency", "concordance", "discourse"):
        window.docks.raise_panel(name)
        QApplication.processEvents()
        stops = {each for each in window.findChildren(QWidget) if reachable(each)} - known
        known |= stops
        unseen[name] = [*nameless(window), *(stop for stop in stops if not shows_focus(window, stop))]
    assert len(known) > 20
    window.controller.close()
    QApplication.processEvents()
    unseen["start"] = [*nameless(window)]
    assert [f"{name}: {each}" for name, found in unseen.items() for each in found] == []


def test_tab_goes_only_to_visible_widgets(make_window):
    QAccessible.setActive(True)
    window = make_window(None, None, False)
    window.activateWindow()
    QApplication.processEvents()
    stops = tab_stops(window)
    assert window.start_page.sample_button in stops
    assert [each for each in stops if each.visibleRegion().isEmpty() or not name_of(each)] == []
    QAccessible.setActive(False)


def test_a_closed_document_leaves_the_keyboard_on_the_start_page(window):
    window.activateWindow()
    window.docks.raise_panel("why")
    window.table.editor.setFocus()
    window.controller.close()
    QApplication.processEvents()
    assert window.focusWidget() is window.start_page.open_button


def reachable(widget: QWidget) -> bool:
    takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None
    return takes and widget.isVisible() and widget.isEnabled() and not widget.visibleRegion().isEmpty()


def tab_stops(window: QWidget) -> list[QWidget]:
    """The widgets that Tab goes through in a dialog or window, in order."""
    found: list[QWidget] = []
    for _ in range(80):
        focused = window.focusWidget()
        if focused is not None and focused in found:
            break
        if focused is not None:
            found.append(focused)
        QTest.keyClick(focused or window, Qt.Key.Key_Tab)
    return found


def shows_focus(window: QWidget, widget: QWidget) -> bool:
    """True if a widget, or its surroundings, looks different with the focus."""
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    assert widget.hasFocus(), widget
    focused = around(window, widget)
    widget.clearFocus()
    return focused != around(window, widget)


def around(window: QWidget, widget: QWidget) -> QImage:
    area = QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size()).adjusted(-4, -4, 4, 4)
    if isinstance(widget, QPlainTextEdit):
        # A caret alone is hard to see.
        widget.setCursorWidth(0)
    QApplication.processEvents()
    return window.grab(area).toImage()
