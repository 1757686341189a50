"""Terms with several renderings: marks, steps, and one rendering after a preview."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from shown_texts import shown_texts

from anaphora.core.consistency import Origin, Rendering, TermReport
from anaphora.core.edits import Preview
from anaphora.core.segment import Status
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.table.segment_model import Role
from anaphora.editor.widgets.rail import child_items, top_items
from anaphora.engine.worker import default_loader
from anaphora.features.help.feature import Help
from anaphora.features.terms.consistency import with_choices
from anaphora.features.terms.feature import Terms
from anaphora.features.terms.view.ledger_panel import ConsistencyPanel
from anaphora.project.document.session import MIN_LARGE_STEP
from anaphora.system.locations import default_model


def report_of(window):
    """A report on 账本, like one of the service."""
    renderings = []
    for text in ("ledger", "account book"):
        places = tuple(
            segment.id
            for segment in window.controller.session.document
            if "账本" in segment.source and text in segment.target.lower()
        )
        renderings.append(Rendering(text, places, (text,)))
    return TermReport("账本", tuple(renderings), 5)


def open_with_two_renderings(make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    editing = window.controller.editing
    rows = [row for row in range(12) if "账本" in window.model.segment(row).source]
    for row in rows:
        text = "The account book keeps it." if row == rows[0] else f"The ledger keeps it in {row}."
        editing.type_text(window.model.segment(row).id, text)
    editing.confirm(window.model.segment(rows[-1]).id)
    return window, rows


def test_inconsistent_segments_are_marked_and_stepped_through(make_window, document, drafted):
    window, rows = open_with_two_renderings(make_window, document, drafted)
    report = report_of(window)
    window.of(Terms).consistency.close()
    window.of(Terms).consistency.reported.emit((report,))
    marked = [row for row in range(12) if window.model.index(row, 0).data(Role.INCONSISTENT)]
    assert marked == rows
    terms = window.of(Terms).panel.terms
    item = terms.topLevelItem(0)
    seen = []
    for _ in rows:
        terms.itemActivated.emit(item, 0)
        seen.append(window.table.currentIndex().row())
    assert sorted(seen) == rows


@pytest.fixture
def two_renderings(qtbot, make_window, tmp_path, request):
    """A window with another rendering of 账本 in three sentences, one of them confirmed."""
    document = tmp_path / "ledger.txt"
    document.write_text("账本保存交易。\n节点读取账本。\n我们更新账本。\n账本很大。\n", "utf-8")
    real = getattr(request, "param", False)
    window = make_window(default_loader(default_model(), "cpu", 1) if real else None, document)
    editing = window.controller.editing
    ids = [segment.id for segment in window.controller.session.document]
    texts = ("The ledger keeps.", "Nodes read the account book.", "We update an account book.", "A big book.")
    for segment, text in zip(ids, texts, strict=True):
        editing.type_text(segment, text)
    editing.confirm(ids[2])
    qtbot.waitUntil(lambda: window.of(Help).engine is not None, timeout=60000)
    places = {"account book": (ids[1], ids[2]), "ledger": (ids[0],), "book": (ids[3],)}
    renderings = tuple(Rendering(text, where, (text,)) for text, where in places.items())
    return window, ids, TermReport("账本", renderings, 4, tuple(ids), "account book", Origin.DRAFT)


def choose(panel, report, text: str) -> None:
    panel.show_reports((report,))
    panel.terms.setCurrentItem(panel.terms.topLevelItem(0))
    panel.rendering.setText(text)


@pytest.mark.slow
@pytest.mark.parametrize("two_renderings", [True], indirect=True, ids=["real engine"])
def test_the_engine_writes_one_rendering_after_a_preview(qtbot, two_renderings):
    window, ids, report = two_renderings
    window.of(Terms).consistency.close()
    panel = window.of(Terms).panel
    choose(panel, report, "ledger")
    before = [window.model.segment(row).target for row in range(4)]
    qtbot.mouseClick(panel.use_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.of(Terms).ledger.preview is not None, timeout=60000)
    preview = window.of(Terms).ledger.preview
    shown = [each.value for each in preview.model.rows]
    assert [each.segment for each in shown] == ids[1:]
    assert all("ledger" in each.after.lower() and "book" not in each.after for each in shown), shown
    assert not preview.checked(), "all were edited"
    assert [each.after for each in shown if each.is_word_exchange] == [
        "Nodes read the ledger.",
        "We update a ledger.",
        "A big ledger.",
    ]
    for row in (0, 2):
        preview.model.setData(
            preview.model.index(row, 0), Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole
        )
    assert {each.segment for each in preview.checked()} == {ids[1], ids[3]}
    assert [window.model.segment(row).target for row in range(4)] == before, "unchanged before agreement"

    with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000):
        preview.accept()
    after = [window.model.segment(row).target for row in range(4)]
    assert after == [before[0], shown[0].after, before[2], shown[2].after]
    assert window.model.segment(2).status is Status.CONFIRMED
    (entry,) = window.of(Terms).service.terms.entries["project"]
    assert (entry.source, entry.allowed) == ("账本", ("ledger",))
    window.actions_by_name["undo"].trigger()
    assert [window.model.segment(row).target for row in range(4)] == before


def test_a_new_choice_cancels_the_first_one(qtbot, two_renderings):
    window, _, report = two_renderings
    service = window.of(Terms).unifying
    told: list[int] = []
    service.working.connect(told.append)
    with qtbot.waitSignal(service.proposed, timeout=30000):
        for _ in range(2):
            service.propose(report, Rendering("hash book", (), ()))  # "a" or "an"?
    assert told == [1]


@pytest.mark.slow
def test_all_renderings_can_be_allowed(qtbot, two_renderings):
    window, _, report = two_renderings
    service, panel = window.of(Terms).consistency, window.of(Terms).panel
    service.close()
    choose(panel, report, "account book")
    with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000):
        qtbot.mouseClick(panel.accept_button, Qt.MouseButton.LeftButton)
    (entry,) = window.of(Terms).service.terms.entries["project"]
    assert entry.allowed == ("account book", "ledger", "book")
    (said,) = with_choices((report,), {"账本": entry.allowed}, ())
    assert said.is_consistent and said.origin is Origin.TERM_BASE
    panel.show_reports((said,))
    assert not panel.accept_button.isEnabled() and panel.terms.topLevelItem(0).text(2) == "term base"


@pytest.mark.slow
def test_a_term_without_a_rendering_is_proposed_and_gets_one(qtbot, two_renderings):
    window, ids, _ = two_renderings
    window.of(Terms).consistency.close()
    panel = window.of(Terms).panel
    choose(panel, TermReport("交易", (), 3, (ids[0], ids[2])), "keeps")
    assert panel.terms.topLevelItem(0).text(2) == "suggested"
    qtbot.keyClick(panel.rendering, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.of(Terms).ledger.preview is not None, timeout=30000)
    shown = [each.value.segment for each in window.of(Terms).ledger.preview.model.rows]
    assert shown == [ids[2]], "the rendering is unknown; the first segment has the word"
    window.of(Terms).ledger.preview.reject()
    choose(panel, TermReport("交易", (), 3, (ids[0],)), "keeps")
    with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000):
        qtbot.keyClick(panel.rendering, Qt.Key.Key_Return)
    (entry,) = window.of(Terms).service.terms.entries["project"]
    assert (entry.source, entry.allowed) == ("交易", ("keeps",))


@pytest.mark.slow
def test_the_services_find_the_terms_of_a_drafted_document(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    with qtbot.waitSignal(
        window.of(Terms).consistency.reported,
        timeout=30000,
        check_params_cb=lambda reports: any(
            report.term == "缓存" and report.renderings for report in reports
        ),
    ):
        window.controller.editing.type_text(window.model.segment(2).id, "We update the cache.")


def test_cancelling_the_changes_keeps_the_term_base(qtbot, make_window, tmp_path):
    path = tmp_path / "多.zh.txt"
    path.write_text("".join(f"第{number}个账本。\n" for number in range(3 * MIN_LARGE_STEP)), "utf-8")
    window = make_window(None, path, start=False)
    window.of(Terms).consistency.close()
    document, editing = window.session.document, window.controller.editing
    settled: list[object] = []
    window.of(Terms).service.stored.connect(settled.append)
    report = TermReport("账本", (), 3, ())
    previews = tuple(Preview(each.id, each.target, f"Ledger {each.id}.") for each in document)
    for is_given_up in (True, False):
        window.of(Terms).unifying.proposed.emit(report, Rendering("ledger", (), ("ledger",)), previews)
        window.of(Terms).ledger.preview.keep.setChecked(True)
        window.of(Terms).ledger.preview.accept()
        if is_given_up:
            editing.large.cancel()
        with qtbot.waitSignal(window.of(Terms).ledger.announced, timeout=30000):
            assert editing.large.is_under_way
        if is_given_up:
            qtbot.wait(200)
            assert not settled and editing.stack.count() == 0
    qtbot.waitUntil(lambda: bool(settled), timeout=30000)
    assert editing.stack.count() == 1


LEDGER, BOOK = (
    Rendering("ledger", ("1",), ("ledger",)),
    Rendering("book", ("2", "gone", "3"), ("book", "Books")),
)
SEVERAL = TermReport("账本", (LEDGER, BOOK), 4, ("1", "2", "3"), "ledger", Origin.CONFIRMED)
ONE = TermReport("节点", (Rendering("node", ("1",), ("node",)),), 2, ("1",), "node", Origin.DRAFT)
NONE = TermReport("合同", (), 2, ("3", "1"))


@pytest.fixture
def panel(qtbot) -> ConsistencyPanel:
    made = ConsistencyPanel(Theme(cast(QApplication, QApplication.instance())))
    qtbot.addWidget(made)
    made.show_reports((SEVERAL, ONE, NONE))
    return made


def cells(item) -> list[str]:
    return [item.text(column) for column in range(4)]


def test_terms_are_listed_with_renderings_and_origins(panel) -> None:
    assert [cells(item) for item in top_items(panel.terms)] == [
        ["账本", "ledger", "confirmed", "4"],
        ["节点", "node", "draft", "2"],
        ["合同", "", "suggested", "2"],
    ]
    several, one, none = top_items(panel.terms)
    assert [cells(child) for child in child_items(several)] == [
        ["账本", "ledger", "", "1"],
        ["账本", "book", "", "3"],
    ]
    assert [item.isExpanded() for item in (several, one, none)] == [True, False, False]
    assert [item.toolTip(0) for item in (several, one)] == ["2 translations", ""]
    assert "Recurring terms: 3 (1 with several translations)" in " ".join(shown_texts(panel))
    panel.show_several()
    assert [item.text(0) for item in top_items(panel.terms)] == ["账本"]
    assert panel.terms.currentItem().text(0) == "账本" and panel.rendering.text() == "ledger"
    panel.show_reports(())
    assert "No recurring terms have been found yet." in shown_texts(panel) and not top_items(panel.terms)


def test_clicks_step_through_all_occurrences(panel) -> None:
    places: list[str] = []
    panel.segment_requested.connect(places.append)
    several, _, none = top_items(panel.terms)
    for _ in range(5):
        panel.terms.itemActivated.emit(several, 0)
    assert places == ["1", "2", "gone", "3", "1"]
    places.clear()
    book = child_items(several)[1]
    panel.terms.itemActivated.emit(book, 0)
    panel.terms.itemActivated.emit(none, 0)
    assert places == ["2", "3"], "a term without renderings has occurrences too"


def test_buttons_are_enabled_for_possible_actions(panel) -> None:
    several, one, none = top_items(panel.terms)
    chosen: list[Rendering] = []
    accepted: list[TermReport] = []
    panel.rendering_chosen.connect(lambda report, rendering: chosen.append(rendering))
    panel.accepted.connect(accepted.append)

    def enabled() -> tuple[bool, bool, bool]:
        return panel.rendering.isEnabled(), panel.use_button.isEnabled(), panel.accept_button.isEnabled()

    assert enabled() == (False, False, False)
    panel.rendering.returnPressed.emit()
    panel.accept_button.clicked.emit()
    panel.terms.setCurrentItem(several)
    assert enabled() == (True, True, True) and panel.rendering.text() == "ledger"
    panel.accept_button.click()
    assert accepted == [SEVERAL]
    panel.terms.setCurrentItem(child_items(several)[1])
    assert panel.rendering.text() == "book"
    panel.rendering.setText("  the   Books ")
    panel.use_button.click()
    assert chosen == [Rendering("the Books", BOOK.segments, ("the Books", "book", "Books"))]
    panel.terms.setCurrentItem(one)
    assert enabled() == (True, True, False), "only from a draft"
    panel.terms.setCurrentItem(none)
    assert enabled() == (True, False, False)
    panel.rendering.setText("contract")
    panel.rendering.returnPressed.emit()
    assert chosen[1:] == [Rendering("contract", (), ("contract",))]
    settled = replace(ONE, origin=Origin.TERM_BASE)
    panel.show_reports((settled,))
    panel.terms.setCurrentItem(top_items(panel.terms)[0])
    assert enabled() == (True, False, False), "this rendering is used already"
    panel.rendering.setText("Node")
    assert enabled() == (True, True, False)


def test_selection_and_typed_text_survive_an_update(panel) -> None:
    panel.terms.setCurrentItem(child_items(top_items(panel.terms)[0])[1])
    panel.rendering.setText("volume")
    panel.rendering.setModified(True)
    panel.show_reports((ONE, replace(SEVERAL, count=5)))
    assert panel.terms.currentItem().text(1) == "book" and panel.rendering.text() == "volume"
    panel.show_reports((ONE,))
    assert panel.rendering.text() == "" or panel.terms.currentItem() is not None
