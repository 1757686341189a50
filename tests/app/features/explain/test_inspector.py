"""The word of the translation that is explained."""

from __future__ import annotations

from dataclasses import replace

from anaphora.features.explain.feature import Explain
from anaphora_nmt.types import Explanation, MemoryUse, MemoryVersion, MemoryView, SourceWord, TokenTrace


def test_only_words_are_explained(make_window, document) -> None:
    inspector = make_window(None, document, False).of(Explain).inspector
    text = "“One ledger” {1/}."
    places = [(0, 1), (1, 4), (5, 11), (11, 12), (13, 17), (17, 18)]
    strongest = (0.9, 0.1, 0.2, 0.3, 0.1, 0.1)
    tokens = tuple(
        TokenTrace(text[start:end], start, end, 0.0, (share,))
        for (start, end), share in zip(places, strongest, strict=True)
    )
    view = MemoryView("a", MemoryVersion("d", 0))
    inspector._show(Explanation("a", text, (SourceWord("账本", 0, 2),), tokens, view))
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


def test_the_caret_before_an_article_marks_nothing(make_window, document) -> None:
    # "The" has no explanation, so that the rail showed another word than the marked one.
    inspector = make_window(None, document, False).of(Explain).inspector
    tokens = (TokenTrace("The", 0, 3, 0.0, (0.5,)), TokenTrace("ledger", 4, 10, 0.0, (0.5,)))
    view = MemoryView("a", MemoryVersion("d", 0))
    inspector._show(Explanation("a", "The ledger", (SourceWord("账本", 0, 2),), tokens, view))
    assert inspector.word == -1
    inspector.point_at(4)
    assert inspector.word == 1
    inspector.step(-1)
    inspector.point_at(0)
    assert inspector.word == 0, "the user has selected it, and the caret followed"
    inspector.point_at(2)
    assert inspector.word == -1
    turned = replace(tokens[0], without_memory="A")
    inspector._show(Explanation("a", "The ledger", (SourceWord("账本", 0, 2),), (turned, tokens[1]), view))
    assert inspector.word == 0, "it comes from the memory, and the rail explains it"


def test_an_explanation_of_an_outdated_text_is_dropped(make_window, document) -> None:
    window = make_window(None, document, False)
    inspector, segment = window.of(Explain).inspector, window.session.document.at(0)
    window.table.go_to_segment(segment.id)
    waiting: list[bool] = []
    inspector.waiting_changed.connect(waiting.append)
    view = MemoryView(segment.id, MemoryVersion("d", 0))
    inspector._show(Explanation(segment.id, "Typed", (), (TokenTrace("Typed", 0, 5, 0.0, ()),), view))
    window.table.editor.type_text("Typed")
    assert inspector.explanation is not None, "it explains the current text"
    window.table.editor.type_text(" more")
    assert inspector.explanation is None and waiting[-1:] == [True], "it is requested again"
    viewed: list[object] = []
    inspector.viewed.connect(viewed.append)
    inspector.show_segment("")
    assert waiting[-1] is False and viewed == [None]
    inspector.show_segment(segment.id)
    assert waiting[-1] is True and viewed == [None]


def test_a_comparison_is_used_only_for_the_shown_text(make_window, document) -> None:
    inspector = make_window(None, document, False).of(Explain).inspector
    use = MemoryUse("confirmed", "ledger", "a", 0.9, influence=2.0, decisive=True)
    token = TokenTrace("ledger", 0, 6, -0.1, (0.9,), (use,), without_memory="book")
    view = MemoryView("a", MemoryVersion("d", 0))
    shown = Explanation("a", "ledger", (SourceWord("账本", 0, 2),), (token,), view)
    inspector._show(shown)
    compared: list[Explanation] = []
    inspector.compared.connect(compared.append)
    for other in (shown, replace(shown, draft_without_memory="book", text="ledgers")):
        inspector.compare(other)
    assert not compared, "no explanation, or of another text"
    inspector.compare(replace(shown, draft_without_memory="book"))
    assert [each.draft_without_memory for each in compared] == ["book"]
    assert inspector.explanation.draft_without_memory == "book"
