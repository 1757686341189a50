"""Confirmed words and slots behind an output word, in one list."""

from __future__ import annotations

from anaphora.core.remembered import place, remembered_words, source_spans
from anaphora_nmt.types import Explanation, MemoryUse, MemoryVersion, MemoryView, SourceWord, TokenTrace


def test_confirmed_words_come_before_slots() -> None:
    token = TokenTrace(
        word="peer",
        start=0,
        end=4,
        log_probability=-0.5,
        attention=(1.0,),
        uses=(
            MemoryUse("continuous_cache", "peer", "2", 0.75, 0.5),
            MemoryUse("word_caches", "topical", strength=0.5, section="topic"),
            MemoryUse("confirmed", "node", "0", 0.5, -0.25, confirmed=True),
        ),
    )
    followed, matched = remembered_words(token)
    assert place(followed) == ("node", "0") and followed.confirmed and followed.influence == -0.25
    assert place(matched) == ("peer", "2") and not matched.confirmed and matched.strength == 0.75


def explained(
    words: tuple[str, ...], *attention: float, word: str = "word", probability: float = -0.1
) -> Explanation:
    """A source and one output word."""
    places = [sum(map(len, words[:at])) for at in range(len(words))]
    source = tuple(
        SourceWord(word, place, place + len(word)) for word, place in zip(words, places, strict=True)
    )
    view = MemoryView("1", MemoryVersion("d", 1))
    return Explanation("1", "word", source, (TokenTrace(word, 0, 4, probability, attention),), view)


def test_both_characters_of_a_word_stand_behind_its_translation() -> None:
    # As the model attends for "tensor": 张 and 量 are pieces of their own.
    assert source_spans(explained(("张", "量", "是"), 0.6, 0.2, 0.2), 0) == ((0, 2),)
    assert source_spans(explained(("训练", "循", "环"), 0.04, 0.46, 0.5), 0) == ((2, 4),)
    assert source_spans(explained(("新", "，", "张", "量"), 0.5, 0.0, 0.5, 0.02), 0) == ((0, 1), (2, 3))
    assert source_spans(explained(("训练", "循环"), 0.7, 0.3), 0) == ((0, 2),)
    assert source_spans(explained(("对", "张", "量", "的"), 0.1, 0.4, 0.3, 0.15), 0) == ((1, 3),)
    assert source_spans(explained(()), 0) == ()


def test_what_somebody_types_has_no_source_words_where_the_model_expects_it_nowhere():
    # "快速 览 → lot": attention lies somewhere, whatever is typed.
    words = ("快速", "浏览", "Keras")
    assert source_spans(explained(words, 0.4, 0.5, 0.1, word="lot", probability=-9.6), 0) == ()
    assert source_spans(explained(words, 0.4, 0.5, 0.1, word="tour", probability=-4.6), 0) == ((0, 4),)
    assert source_spans(explained(words, 0.1, 0.1, 0.8, word="Keras", probability=-9.6), 0) == ((4, 9),)
    assert source_spans(explained(words, 0.4, 0.5, 0.1, word="The"), 0) == (), "an article"
    assert source_spans(explained(words, 0.4, 0.5, 0.1, word="42"), 0) == ((0, 4),)
