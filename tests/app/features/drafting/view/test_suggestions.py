"""Ctrl+1…9 use a suggestion, with undo; showing suggestions does not change the memory."""

from __future__ import annotations

from typing import Any, cast

import pytest
from offered_texts import texts_of
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from recording_translator import RecordingTranslator
from shown_texts import shown_texts

from anaphora.core.edits import OfferedDraft
from anaphora.core.matching import Match, Unit
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.editor.appearance.theme import Theme, ThemeChoice
from anaphora.editor.widgets.html_table import HTML_ROLE, HtmlDelegate
from anaphora.features.drafting.feature import Drafting
from anaphora.features.drafting.view.suggestions import OfferedText, SuggestionsPanel
from anaphora.features.engine_state.feature import EngineState
from anaphora.features.explain.feature import Explain
from anaphora.features.tm.feature import Tm
from anaphora.features.tm.memories import SHARED
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.types import Suggestion

CONTROL = Qt.KeyboardModifier.ControlModifier


def press(window, key):
    QTest.keyClick(window.table.editor, key, CONTROL)


def show_suggestions(qtbot, window):
    window.docks.raise_panel("suggestions", focus=False)
    qtbot.waitUntil(lambda: bool(texts_of(window.of(Drafting).suggester)), timeout=30000)


@pytest.mark.slow
def test_a_key_uses_a_suggestion_and_undo_restores_the_draft(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    draft = window.model.segment(0).target
    show_suggestions(qtbot, window)
    texts = texts_of(window.of(Drafting).suggester)
    assert draft not in texts, "the current text is not a suggestion"
    panel = window.docks.suggestions
    assert panel.list.count() == len(texts)
    assert panel.list.item(0).text() == f"Ctrl+1\n{texts[0]}"
    assert "background-color" in panel.list.item(0).data(HTML_ROLE), "differences are marked"
    press(window, Qt.Key.Key_1)
    assert window.model.segment(0).target == texts[0]
    assert window.model.segment(0).status is Status.EDITED
    assert window.table.editor.toPlainText() == texts[0]
    window.actions_by_name["undo"].trigger()
    assert window.model.segment(0).target == draft
    assert window.model.segment(0).status is Status.DRAFT


@pytest.mark.slow
def test_suggestions_are_compared_with_a_new_draft_at_once(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    show_suggestions(qtbot, window)
    segment, texts = window.model.segment(0), texts_of(window.of(Drafting).suggester)
    window.session.set_states({segment.id: SegmentState(texts[0], Status.DRAFT)})
    assert texts_of(window.of(Drafting).suggester) == (segment.target, *texts[1:]), (
        "what stands there now is no suggestion"
    )
    assert [offer.target for offer in window.of(Drafting).suggester.offers] == [texts[0]] * len(texts)
    window.session.set_states({segment.id: SegmentState(texts[0].rstrip(".") + "..", Status.DRAFT)})
    assert texts[0] not in texts_of(window.of(Drafting).suggester), "only the mark at the end differs"


@pytest.mark.slow
def test_a_key_before_the_answer_waits_for_it(qtbot, make_window, document, drafted):
    window = make_window(None)
    window.docks.show_dock("rail", False)
    window.opener.open(document)
    drafted(window)
    before = window.model.segment(0)
    assert texts_of(window.of(Drafting).suggester) == (), "nobody looked, nothing was searched"
    offered: list[tuple[str, ...]] = []  # at the edit: the used text leaves the list soon after
    window.session.applied.connect(lambda _: offered.append(texts_of(window.of(Drafting).suggester)))
    press(window, Qt.Key.Key_1)
    assert "will be used when it is ready" in window.status_line.currentMessage()
    qtbot.waitUntil(lambda: window.model.segment(0).status is Status.EDITED, timeout=30000)
    assert window.docks.suggestions.isVisible()
    assert window.model.segment(0).target == offered[-1][0] != before.target
    press(window, Qt.Key.Key_9)
    assert "Suggestions available" in window.status_line.currentMessage()


@pytest.mark.slow
def test_a_confirmation_waits_for_a_requested_suggestion(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    suggester = window.of(Drafting).suggester
    window.table.go_to_row(1)
    before = window.model.segment(1)
    press(window, Qt.Key.Key_1)
    press(window, Qt.Key.Key_Return)
    assert window.model.segment(1) == before, "the old text is not confirmed"
    qtbot.waitUntil(lambda: window.model.segment(1).status is Status.CONFIRMED, timeout=30000)
    assert window.model.segment(1).target not in ("", before.target)
    assert window.table.currentIndex().row() == 2
    for undo, why in ((window.table.step, "not ready"), (window.table.editor.type_text, "has changed")):
        assert not texts_of(suggester)
        press(window, Qt.Key.Key_1)
        undo(1) if undo == window.table.step else undo("!")
        assert why in window.status_line.currentMessage()
        press(window, Qt.Key.Key_Return)
    assert window.model.segment(2).status is Status.DRAFT, "the previous segment was not confirmed"


@pytest.mark.slow
def test_suggestions_follow_the_segment_and_the_memory(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    show_suggestions(qtbot, window)
    first = texts_of(window.of(Drafting).suggester)
    window.table.go_to_row(1)
    assert texts_of(window.of(Drafting).suggester) == ()
    qtbot.waitUntil(lambda: texts_of(window.of(Drafting).suggester) not in ((), first), timeout=30000)
    rows = [row for row in range(12) if "账本" in window.model.segment(row).source]
    window.table.go_to_row(rows[0])
    window.controller.editing.type_text(window.model.segment(rows[0]).id, "The account book.")
    window.controller.editing.confirm(window.model.segment(rows[0]).id)
    window.table.go_to_row(rows[1])

    def offered() -> str:
        return " ".join(
            (window.model.segment(rows[1]).target, *texts_of(window.of(Drafting).suggester))
        ).lower()

    qtbot.waitUntil(lambda: "account book" in offered(), timeout=30000)


@pytest.mark.slow
def test_looking_at_suggestions_leaves_the_memory_as_it_is(qtbot, make_window, document, drafted):
    window = make_window(double := RecordingTranslator(), document)
    drafted(window)
    segment, key = window.model.segment(0), window.controller.session.key
    window.controller.editing.type_text(segment.id, "Mine.")
    for confirmed in ({}, {segment.id: "Mine."}):
        before = dict(double.drafts[key])
        show_suggestions(qtbot, window)
        assert double.drafts[key] == before and window.model.segment(0).target == "Mine."
        assert double.confirmed[key] == confirmed
        window.controller.editing.confirm(segment.id)
        qtbot.waitUntil(lambda: segment.id in double.confirmed[key], timeout=30000)
    assert not [call for call in double.calls if call[0] == "restore"]


def test_without_a_model_the_key_shows_a_message(qtbot, make_window, document):
    tries: list[str] = []

    def load():
        tries.append("")
        if len(tries) == 1:
            raise ModelFileError("The model folder is missing.")
        return RecordingTranslator()

    window = make_window(load, document)
    qtbot.waitUntil(lambda: not window.of(EngineState).no_model_banner.isHidden(), timeout=30000)
    press(window, Qt.Key.Key_1)
    assert "No translation model" in window.status_line.currentMessage()
    window.desk.models.reload()
    qtbot.waitUntil(lambda: window.of(Explain).inspector.explanation is not None, timeout=30000)
    press(window, Qt.Key.Key_1)
    qtbot.waitUntil(lambda: window.model.segment(0).status is Status.EDITED, timeout=30000)


@pytest.mark.slow
def test_errors_elsewhere_do_not_cancel_the_request(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    window.table.go_to_row(1)
    window.desk.worker.failed.emit("A file could not be read.")
    qtbot.waitUntil(lambda: bool(texts_of(window.of(Drafting).suggester)), timeout=30000)


def shown_offer(qtbot, target: str, text: str) -> str:
    application = cast(QApplication, QApplication.instance())
    panel = SuggestionsPanel(Theme(application, ThemeChoice.LIGHT))
    qtbot.addWidget(panel)
    panel.show_offers((OfferedText(text, target=target),), ["Ctrl+1"], False)
    return panel.list.item(0).data(HTML_ROLE).split("<br>")[1]


def test_missing_words_of_a_suggestion_are_marked(qtbot):
    shown = shown_offer(qtbot, "after receiving the goods.", "after receiving goods.")
    assert "line-through" in shown and ">the " in shown and "background" not in shown
    shown = shown_offer(qtbot, "The price of it.", "The amount of it.")
    assert "line-through" not in shown and ">amount<" in shown, "the replacing text shows it"
    assert "<span" not in shown_offer(qtbot, "", "The amount.")
    own = "If a device of the cluster is in bad health, saving a checkpoint avoids the loss of weights."
    other = "When there is a healthy machine in the training set, you can complete what was kept, and end."
    assert "<span" not in shown_offer(qtbot, own, other), "few words are the same"


class Offering(RecordingTranslator):
    def preview(self, document, segments, *args, **kwargs):
        texts = (
            "The ledger keeps every transaction.",
            "A ledger saves each transaction.",
            "1530::",
            "The ledger keeps,,",
            "Ledger keeps every deal .",
            "The ledgers kept all of the deals",
            "The ledger  keeps every transaction",
            "Ledgers have saved every transaction.",
        )
        version = self._version(document)
        return tuple(Suggestion(each, texts[0], 0.0, version, alternatives=texts[1:]) for each in segments)


@pytest.fixture
def offered(qtbot, make_window, document, drafted):
    window = make_window(Offering({"账本保存每个交易。": "Ledger keeps every deal."}), document)
    drafted(window)
    show_suggestions(qtbot, window)
    return window


def differences_shown(window) -> list[str]:
    items = window.docks.suggestions.list
    return [items.item(row).data(HTML_ROLE) for row in range(items.count())]


def test_junk_and_equal_content_words_are_not_offered(offered) -> None:
    assert texts_of(offered.of(Drafting).suggester) == (
        "The ledger keeps every transaction.",
        "A ledger saves each transaction.",
    )


def test_texts_of_the_model_do_not_repeat_a_match(offered) -> None:
    first, (kept, _) = offered.model.segment(0).id, texts_of(offered.of(Drafting).suggester)
    text = "A ledger saved the transactions."
    match = Match(Unit("账本", text), 80, text, 0, "m")
    offered.of(Tm).service.found.emit(first, (match,))
    assert texts_of(offered.of(Drafting).suggester) == (match.target, kept)


def test_a_newer_draft_with_another_article_is_offered(offered) -> None:
    first = offered.model.segment(0).id
    texts, newer = texts_of(offered.of(Drafting).suggester), "The ledger keeps every deal."
    offered.session.offer(OfferedDraft(first, "Ledger keeps every deal.", newer, first, False))
    assert texts_of(offered.of(Drafting).suggester) == (newer, *texts)
    assert offered.of(Drafting).suggester.offers[0].newer


def test_differences_follow_the_current_text(qtbot, offered) -> None:
    texts, before = texts_of(offered.of(Drafting).suggester), differences_shown(offered)
    press(offered, Qt.Key.Key_1)
    assert offered.model.segment(0).target == texts[0]
    qtbot.waitUntil(lambda: differences_shown(offered) != before, timeout=30000)
    assert texts_of(offered.of(Drafting).suggester) == texts, "the numbers stay"
    first, second = differences_shown(offered)
    assert "background" not in first and "line-through" not in first, "this is the current text"
    assert shown_offer(qtbot, texts[0], texts[1]) == second.split("<br>")[1], "compared with it"
    editor = offered.table.editor
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, texts[1])
    qtbot.waitUntil(
        lambda: ["background" in each for each in differences_shown(offered)] == [True, False], timeout=30000
    )
    assert texts_of(offered.of(Drafting).suggester) == texts


def test_long_strings_without_spaces_wrap(qtbot) -> None:
    application = cast(QApplication, QApplication.instance())
    panel = SuggestionsPanel(Theme(application, ThemeChoice.LIGHT))
    qtbot.addWidget(panel)
    panel.resize(320, 600)
    panel.show()
    panel.show_offers((OfferedText("See https://example.org/" + "a" * 400),), ["Ctrl+1"], False)
    items, delegate = panel.list, panel.list.itemDelegate()
    assert isinstance(delegate, HtmlDelegate)
    width = items.viewport().width() - 2 * items.spacing() - 16
    laid_out = delegate.document(items.model().index(0, 0), width)
    assert laid_out.idealWidth() <= width + 1
    assert laid_out.size().height() > 5 * items.fontMetrics().height()


def test_a_match_of_thousands_of_characters_leaves_room_for_the_others(qtbot):
    panel = SuggestionsPanel(Theme(cast(QApplication, QApplication.instance())))
    qtbot.addWidget(panel)
    panel.resize(300, 700)
    panel.show()
    long = "The ledger keeps every transaction of the network. " * 100
    texts = (long, f"Before. {long.replace('ledger', 'register', 1)}", "short")
    panel.show_offers([OfferedText(long), *(OfferedText(text, target=long) for text in texts[1:])], (), False)
    heights = [panel.list.sizeHintForRow(row) for row in range(3)]
    assert max(heights) < 500, heights
    shown = panel.list.item(1).data(HTML_ROLE)
    assert "register" in shown and "…" in shown, "what differs is shown"


@pytest.fixture
def panel(qtbot) -> SuggestionsPanel:
    made = SuggestionsPanel(Theme(cast(QApplication, QApplication.instance()), ThemeChoice.LIGHT))
    qtbot.addWidget(made)
    made.resize(320, 400)
    return made


def match_of(percent: int, source: str = "账本旧。", memory: str = "mine", **about: Any) -> Match:
    return Match(Unit(source, "The ledger.", **about), percent, "The ledger.", 0, memory)


def test_a_match_shows_its_percentage_and_origin(panel) -> None:
    unit: dict[str, Any] = {"origin": "a.docx", "author": "李译", "changed": 1_750_000_000}
    matches = [match_of(percent, **unit) for percent in (101, 100, 99, 97)]
    matches[1] = match_of(100, memory=SHARED)
    panel.show_offers([OfferedText(each.target, each, "账本新。") for each in matches], ["Ctrl+1"], False)
    assert (panel.percent, panel.count) == (101, 4)
    items = [panel.list.item(row) for row in range(4)]
    tips = [item.toolTip() for item in items]
    for tip, kind in zip(
        tips, ("same neighbouring segments", "Same text.", "Only tags", "Struck-through"), strict=True
    ):
        assert kind in tip
    assert "李译 · 2025-06-15" in tips[0] and "李译" not in tips[1] and "1970" not in tips[1]
    shown = [item.data(HTML_ROLE) for item in items]
    assert ["a.docx · project" in each for each in shown] == [True, False, True, True]
    assert "shared translation memory" in shown[1]
    colours = Theme(cast(QApplication, QApplication.instance()), ThemeChoice.LIGHT).colours
    assert [f"color:{colours.confirmed}" in each for each in shown] == [True, True, True, False]
    assert ["line-through" in each for each in shown] == [False, False, True, True], "what differs is shown"
    assert f'color:{colours.warning}">旧</span>' in shown[3] and ">新</span>" in shown[3]
    assert [item.text().partition("\n")[0] for item in items] == ["Ctrl+1", *["The ledger."] * 3]
    said = [item.data(Qt.ItemDataRole.AccessibleTextRole) for item in items]
    assert said[1] == "Suggestion 2, 100% match: The ledger."


@pytest.mark.parametrize(
    ("offer", "said"),
    [
        (OfferedText("A text."), "machine draft"),
        (OfferedText("A text.", newer=True), "newer draft"),
        (OfferedText("A text.", newer=True, cause=3), "newer draft, because you confirmed segment 3"),
        (
            OfferedText("A text.", newer=True, cause=3, is_revoked=True),
            "newer draft, because segment 3 is no longer confirmed",
        ),
    ],
)
def test_a_newer_draft_shows_its_cause(panel, offer: OfferedText, said: str) -> None:
    panel.show_offers([offer], ["Ctrl+1"], False)
    item = panel.list.item(0)
    assert f"Ctrl+1 · {said}</span>" in item.data(HTML_ROLE) and item.toolTip() == "" and panel.percent == 0
    heard = f"{said}: A text." if offer.newer else "A text."
    assert item.data(Qt.ItemDataRole.AccessibleTextRole) == f"Suggestion 1: {heard}"


def test_the_list_is_shown_while_it_has_items(panel) -> None:
    panel.show()
    panel.show_offers((), (), True)
    assert shown_texts(panel) == ["Looking for suggestions…"]
    panel.show_offers([OfferedText("One."), OfferedText("Two.")], [], True)
    assert not shown_texts(panel) and panel.list.isVisible()
    panel.list.setCurrentRow(1)
    panel.show_offers([OfferedText("One."), OfferedText("Three."), OfferedText("Four.")], [], False)
    assert panel.list.currentRow() == 1 and panel.list.count() == panel.count == 3
    chosen: list[int] = []
    panel.chosen.connect(chosen.append)
    for row in range(3):
        panel.list.itemActivated.emit(panel.list.item(row))
    assert chosen == [1, 2, 3]
    panel.show_offers((), (), False)
    assert not panel.list.isVisible() and panel.percent == 0


def test_the_first_suggestions_are_shown_whole(qtbot, qapp) -> None:
    panel = SuggestionsPanel(Theme(qapp, ThemeChoice.LIGHT))
    qtbot.addWidget(panel)
    panel.setFixedWidth(300)
    panel.show_offers((), (), True)
    panel.show()
    qtbot.waitExposed(panel)
    text = "The sun rose over the river, and the boats that had waited all night set out to the sea. " * 2
    panel.show_offers((OfferedText(text), OfferedText(text + "Again.")), ("Ctrl+1", "Ctrl+2"), False)
    bar = panel.list.verticalScrollBar()
    qtbot.waitUntil(lambda: panel.list.viewport().width() <= 300 and bar.maximum() == 0)


def test_a_tag_in_a_difference_shows_its_content(panel) -> None:
    panel.show_segment(Segment("1", "读{1/}。", tags=(("{1/}", "`tf.Tensor`"),)))
    panel.show_offers((OfferedText("It reads the {1/}.", target="It reads a {1/}."),), (), False)
    assert "tf.Tensor" in panel.list.item(0).data(HTML_ROLE)
