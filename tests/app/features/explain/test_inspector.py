"""The word of the translation that is explained."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anaphora.core.segment import SegmentState, Status
from anaphora.engine.jobs import Request, Urgency
from anaphora.features.explain.feature import Explain
from anaphora_nmt.types import Explanation, MemoryUse, MemoryVersion, MemoryView, SourceWord, TokenTrace


@pytest.fixture
def window(make_window, document):
    return make_window(None, document, False)


def explain(qtbot, window, text: str, *tokens: TokenTrace) -> None:
    """Give a text to the first segment, and answer the request for its explanation."""
    segment, asked = window.session.document.at(0).id, dict[Urgency, Request]()
    window.desk.worker.ask = lambda *requests: asked.update((each.urgency, each) for each in requests)
    window.session.set_states({segment: SegmentState(text, Status.DRAFT)})
    window.of(Explain).inspector.refresh()
    qtbot.waitUntil(lambda: Urgency.INSPECT in asked)
    view, words = MemoryView(segment, MemoryVersion("d", 0)), (SourceWord("账本", 0, 2),)
    asked[Urgency.INSPECT].receive(Explanation(segment, text, words, tokens, view))


def test_only_words_are_explained(qtbot, window) -> None:
    inspector = window.of(Explain).inspector
    text = "“One ledger” {1/}."
    places = [(0, 1), (1, 4), (5, 11), (11, 12), (13, 17), (17, 18)]
    strongest = (0.9, 0.1, 0.2, 0.3, 0.1, 0.1)
    tokens = tuple(
        TokenTrace(text[start:end], start, end, 0.0, (share,))
        for (start, end), share in zip(places, strongest, strict=True)
    )
    explain(qtbot, window, text, *tokens)
    inspector.point_at(0)
    assert inspector.word == -1, "a quotation mark"
    inspector.point_at(17)
    assert inspector.word == -1, "a tag and a full stop"
    inspector.point_at(11)
    assert inspector.word == 2, "the word that ends at the caret, before a mark"
    inspector.point_at(0)
    seen = []
    for by in (1, 1, 1, -1, -1):
        inspector.step(by)
        seen.append(inspector.word)
    assert seen == [1, 2, 2, 1, 1]
    inspector.choose(3)
    assert inspector.word == 1
    inspector.point_at_source(0)
    assert inspector.word == 2, "the word, although a mark attends more"


def test_the_caret_before_an_article_marks_nothing(qtbot, window) -> None:
    # "The" has no explanation, so that the rail showed another word than the marked one.
    inspector = window.of(Explain).inspector
    tokens = (TokenTrace("The", 0, 3, 0.0, (0.5,)), TokenTrace("ledger", 4, 10, 0.0, (0.5,)))
    explain(qtbot, window, "The ledger", *tokens)
    assert inspector.word == -1
    inspector.point_at(4)
    assert inspector.word == 1
    inspector.step(-1)
    inspector.point_at(0)
    assert inspector.word == 0, "the user has selected it, and the caret followed"
    inspector.point_at(2)
    assert inspector.word == -1
    turned = replace(tokens[0], without_memory="A")
    explain(qtbot, window, "The ledger", turned, tokens[1])
    assert inspector.word == 0, "it comes from the memory, and the rail explains it"


def test_an_explanation_of_an_outdated_text_is_dropped(qtbot, window) -> None:
    inspector, segment = window.of(Explain).inspector, window.session.document.at(0)
    window.table.go_to_segment(segment.id)
    waiting: list[bool] = []
    inspector.waiting_changed.connect(waiting.append)
    explain(qtbot, window, "Typed", TokenTrace("Typed", 0, 5, 0.0, ()))
    window.session.set_states({segment.id: SegmentState("Typed", Status.EDITED)})
    assert inspector.explanation is not None, "it explains the current text"
    window.table.editor.type_text(" more")
    assert inspector.explanation is None and waiting[-1:] == [True], "it is requested again"
    viewed: list[object] = []
    inspector.viewed.connect(viewed.append)
    inspector.show_segment("")
    assert waiting[-1] is False and viewed == [None]
    inspector.show_segment(segment.id)
    assert waiting[-1] is True and viewed == [None]


def test_a_comparison_is_used_only_for_the_shown_text(qtbot, window) -> None:
    inspector = window.of(Explain).inspector
    use = MemoryUse("confirmed", "ledger", "a", 0.9, influence=2.0, decisive=True)
    token = TokenTrace("ledger", 0, 6, -0.1, (0.9,), (use,), without_memory="book")
    explain(qtbot, window, "ledger", token)
    shown = inspector.explanation
    compared: list[Explanation] = []
    inspector.compared.connect(compared.append)
    for other in (shown, replace(shown, draft_without_memory="book", text="ledgers")):
        inspector.compare(other)
    assert not compared, "no explanation, or of another text"
    inspector.compare(replace(shown, draft_without_memory="book"))
    assert [each.draft_without_memory for each in compared] == ["book"]
    assert inspector.explanation.draft_without_memory == "book"
