"""Source terms and the target words that render them, by the model's own attention."""

from __future__ import annotations

from anaphora_nmt.pipeline.preparing.lines import PreparedLine, prepare_source, prepare_target
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_nmt.text.words import words
from anaphora_text.han import is_han
from anaphora_text.stop_words import STOP_WORDS


def renderings(drafter: Drafter, source: str, target: str) -> dict[str, str]:
    """Chinese words of two characters or more → the target words that attend to them most.

    The target words, stop words left out, are lower-cased and stand in target order, which for a term is
    nearly always its wording. A source word that occurs twice, or that nothing attends to, is left out.
    """
    line = prepare_source(source, drafter.source)
    given = prepare_target(target, line.line.strings, drafter.target)
    spans = _terms(line)
    found: dict[tuple[str, int], list[str]] = {}
    for word, place in zip(given.words, drafter.align(line, given), strict=True):
        text = word.text.lower().strip(".,;:!?()[]{}\"'“”‘’`*")
        if place is None or not text or text in STOP_WORDS or not text[0].isalpha():
            continue
        middle = (line.words[place].start + line.words[place].end) // 2
        for term, start, end in spans:
            if start <= middle < end:
                found.setdefault((term, start), []).append(text)
    once = {term for term, _ in found if sum(term == other for other, _, _ in spans) == 1}
    return {term: " ".join(texts) for (term, _), texts in found.items() if term in once}


def _terms(line: PreparedLine) -> list[tuple[str, int, int]]:
    return [
        (word, start, end)
        for word, start, end in words(line.line.plain)
        if len(word) > 1 and all(map(is_han, word))
    ]


def words_of(text: str) -> list[str]:
    """The lower-cased words of an English text, punctuation stripped from their edges."""
    stripped = (word.strip(".,;:!?()[]{}\"'“”‘’`*") for word in text.lower().split())
    return [word for word in stripped if word]
