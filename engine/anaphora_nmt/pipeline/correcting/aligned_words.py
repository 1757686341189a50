"""Words of a target, and the source words that they render by the model's attention."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from anaphora_nmt.pipeline.preparing.lines import MAX_SOURCE, PreparedLine, prepare_target, raw_span
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_text.function_words import CHINESE_FUNCTION_WORDS, FUNCTION_WORDS, PRONOUNS
from anaphora_text.unspaced import is_unspaced, noun_edges
from anaphora_text.word_forms import is_known

MOST_WORDS = 5
"""Words of a phrase, on either side."""
_LONGEST = 4 * MAX_SOURCE
"""Characters of a source: more than its pieces reach."""
_EMPTY_TARGETS = FUNCTION_WORDS | {"s", "t", "d", "m", "ve", "re", "ll", "like"}
_OPENING = re.compile(r"(^|[.:!?;•–—-]\s)[\s\"'“‘(]*$")
_EMPTY_SOURCES = CHINESE_FUNCTION_WORDS | {*"上下中里内外前后时请已均仅只等出到"}

Span = tuple[int, int]
"""The first word and one past the last, or the same of characters."""


@dataclass(frozen=True)
class SourceWords:
    """A source by words: its text without tags, and where its words stand."""

    text: str
    spans: tuple[Span, ...]

    @classmethod
    def of(cls, text: str) -> SourceWords:
        """The words of a source without tags, as far as the model reads it; signs belong to none."""
        text = text[:_LONGEST]
        edges = noun_edges(text)
        spans: list[Span] = []
        for place, letter in enumerate(text):
            if not letter.isalnum():
                continue
            follows = spans and spans[-1][1] == place and place not in edges
            if follows and is_unspaced(letter) == is_unspaced(text[place - 1]):
                spans[-1] = (spans[-1][0], place + 1)
            else:
                spans.append((place, place + 1))
        return cls(text, tuple(spans))

    def within(self, start: int, end: int) -> range:
        """The words in a stretch of characters."""
        inside = [n for n, (first, last) in enumerate(self.spans) if first >= start and last <= end]
        return range(inside[0], inside[-1] + 1) if inside else range(0)

    def phrase(self, words: range) -> str:
        return self.text[self.spans[words[0]][0] : self.spans[words[-1]][1]]

    def may_be_part(self, other: int, words: range, has_prefix: bool = False) -> bool:
        """True if a word is a single character beside a single one, or after any: 热床, 故障码.

        Args:
            has_prefix: it renders the prefix of a target word, and may be before any: 重调度.
        """
        one = words[0] if other < words[0] else words[-1]
        if not self.is_content(other):
            return False
        (start, end), (first, last) = self.spans[one], self.spans[other]
        sizes = last - first, end - start
        is_after, is_before = first == end, last == start and (has_prefix or sizes[1] == 1)
        return (is_after or is_before) and 1 in sizes[: 1 + has_prefix]

    def is_content(self, word: int) -> bool:
        if not 0 <= word < len(self.spans):
            return False
        text = self.text[slice(*self.spans[word])]
        return text not in _EMPTY_SOURCES and text.casefold() not in _EMPTY_TARGETS and not text.isdigit()

    def is_pronoun(self, word: int) -> bool:
        start, end = self.spans[word] if word >= 0 else (0, 0)
        return end - start > 2 and self.text.startswith(("任何", "任一", "每", "各"), start)

    def joined(self, words: Set[int]) -> range | None:
        """Words in a row, with their parts and empty words between them; None if others stand there."""
        if not words:
            return None
        row = range(min(words), max(words) + 1)
        between = (word for word in row if word not in words and self.is_content(word))
        is_whole = all(self.may_be_part(word, range(word - 1, word)) for word in between)
        return row if is_whole and len(row) <= MOST_WORDS else None


@dataclass(frozen=True)
class TargetWords:
    """A target text by words, where they stand, and the source word that each of them renders; -1: none."""

    plain: str
    words: tuple[str, ...]
    places: tuple[Span, ...]
    renders: tuple[int, ...]
    raw: tuple[Span, ...]
    """The places of the words in the text with tags."""
    pronouns: frozenset[int] = frozenset()
    """The words such as "either" that render a pronoun such as 任何一方."""

    def content(self, span: Span) -> list[int]:
        return [word for word in range(*span) if word in self.pronouns or _is_content(self.words[word])]

    @property
    def whole(self) -> Span:
        return 0, len(self.words)

    def trimmed(self, first: int, last: int) -> Span:
        """A span from its first to its last word of content, with what hyphens join to these."""
        content = self.content((first, last))
        if not content:
            return first, first
        start, end = content[0], content[-1] + 1
        while end < last and self._is_joined(end):
            end += 1
        while start > first and self._is_joined(start):
            start -= 1
        return start, end

    def _is_joined(self, word: int) -> bool:
        """True if no space precedes a word."""
        return self.places[word - 1][1] == self.places[word][0]

    def said(self, span: Span) -> tuple[str, ...]:
        """Its words in small letters."""
        return tuple(word.casefold() for word in self.words[slice(*span)])

    def sources(self, span: Span) -> set[int]:
        return {self.renders[word] for word in self.content(span)} - {-1}

    def render(self, sources: range, span: Span) -> bool:
        """True if a word in a stretch of the text with tags renders one of some source words."""
        return any(
            self.renders[word] in sources and start < span[1] and span[0] < end
            for word, (start, end) in enumerate(self.raw)
        )

    def is_row(self, sources: range) -> bool:
        """True if the words that render some source words are neighbours."""
        found = [word for word in self.content(self.whole) if self.renders[word] in sources]
        return not found or found[-1] - found[0] < len(found)

    def rendering(self, sources: range, span: Span) -> Span | None:
        """A span with the words beside it that render the same source words.

        None if others stand between them, or none renders them. A name elsewhere, as "Party B", renders
        itself, and a word of the span that is there again does not count.
        """
        own, said = self.content(span), set(self.said(span))
        plain = (n for n in self.content(self.whole) if self.words[n][1:] == self.words[n][1:].lower())
        others = (n for n in plain if self.words[n].casefold() not in said)
        inside = {*own, *(n for n in others if self.renders[n] in sources)}
        if not inside:
            return None
        found = min(inside), max(inside) + 1
        is_whole = all(word in inside for word in self.content(found))
        return found if is_whole and found[1] - found[0] <= MOST_WORDS else None

    def phrase(self, span: Span) -> str:
        """The text of a span; a capital that only a sentence or a heading gives a word is left out."""
        letters = [word for word in self.words if word[:1].isalpha()]
        is_heading = 2 * sum(word[:1].isupper() for word in letters) > len(letters) > 1
        begin, end = self.places[span[0]][0], self.places[span[1] - 1][1]
        text = list(self.plain[begin:end])
        for number in range(*span):
            word, start = self.words[number], self.places[number][0] - begin
            is_first = is_heading or _OPENING.search(self.plain, 0, begin + start)
            if is_first and word[1:].islower() and is_known(word.lower()):
                text[start] = text[start].lower()
        return "".join(text)


def read_words(drafter: Drafter, source: PreparedLine, words: SourceWords, text: str) -> TargetWords:
    """A target text with the source words that its words attend to most, words of content to such."""
    target = prepare_target(text, source.line.strings, drafter.target)
    columns = np.zeros((len(source.words), len(words.spans)))
    for row, word in enumerate(source.words):
        for column, (start, end) in enumerate(words.spans):
            shared = min(end, word.end) - max(start, word.start)
            columns[row, column] = max(0, shared) / (word.end - word.start)
    looks = drafter.word_attention(source, target) @ columns
    places = tuple((word.start, word.end) for word in target.words)
    raw = tuple(raw_span(target.line.tags, *place) for place in places)
    texts = tuple(word.text for word in target.words)
    looks[np.ix_([*map(_is_content, texts)], [not words.is_content(n) for n in range(len(words.spans))])] = 0
    renders = [int(row.argmax()) if row.size and row.max() > 0 else -1 for row in looks]
    pronouns = {}
    for number, said in enumerate(texts):
        found = [*filter(words.is_pronoun, renders[number : number + 2])]
        if found and said.lower() in PRONOUNS | {"one"}:
            pronouns[number] = renders[number] = found[0]
    return TargetWords(target.line.plain, texts, places, tuple(renders), raw, frozenset(pronouns))


def _is_content(word: str) -> bool:
    return any(map(str.isalpha, word)) and word.casefold() not in _EMPTY_TARGETS
