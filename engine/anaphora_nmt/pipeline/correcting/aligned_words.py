"""Words of a source, and words of a target that the model's attention aligns with them."""

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

MAX_WORDS = 5
"""Maximum number of words of a phrase, on either side."""
_MAX_CHARACTERS = 4 * MAX_SOURCE
"""Maximum number of characters to read of a source; `MAX_SOURCE` pieces cover fewer."""
_EMPTY_TARGETS = FUNCTION_WORDS | {"s", "t", "d", "m", "ve", "re", "ll", "like"}  # words without content
_OPENING = re.compile(r"(^|[.:!?;•–—-]\s)[\s\"'“‘(]*$")  # the text before the first word of a sentence
_EMPTY_SOURCES = CHINESE_FUNCTION_WORDS | {*"上下中里内外前后时请已均仅只等出到"}

Span = tuple[int, int]
"""(start, end) of words or characters; the end is exclusive."""


@dataclass(frozen=True)
class SourceWords:
    """A source text without tags, and the character spans of its words."""

    text: str
    spans: tuple[Span, ...]

    @classmethod
    def of(cls, text: str) -> SourceWords:
        """Split a source, up to the longest text that the model reads, into words without punctuation."""
        text = text[:_MAX_CHARACTERS]
        edges = noun_edges(text)
        spans: list[Span] = []
        for index, letter in enumerate(text):
            if not letter.isalnum():
                continue
            follows = spans and spans[-1][1] == index and index not in edges
            if follows and is_unspaced(letter) == is_unspaced(text[index - 1]):
                spans[-1] = (spans[-1][0], index + 1)
            else:
                spans.append((index, index + 1))
        return cls(text, tuple(spans))

    def within(self, start: int, end: int) -> range:
        inside = [n for n, (first, last) in enumerate(self.spans) if first >= start and last <= end]
        return range(inside[0], inside[-1] + 1) if inside else range(0)

    def phrase(self, words: range) -> str:
        return self.text[self.spans[words[0]][0] : self.spans[words[-1]][1]]

    def may_be_part(self, other: int, words: range, has_prefix: bool = False) -> bool:
        """True if the content word `other`, beside `words`, may belong to them, as 码 in 故障码.

        Args:
            has_prefix: the target word has a prefix, such as "re-" for 重 in 重调度; then it is enough if
                either of the two words is a single character.
        """
        neighbour = words[0] if other < words[0] else words[-1]
        if not self.is_content(other):
            return False
        (start, end), (first, last) = self.spans[neighbour], self.spans[other]
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

    def range_of(self, words: Set[int]) -> range | None:
        if not words:
            return None
        row = range(min(words), max(words) + 1)
        between = (word for word in row if word not in words and self.is_content(word))
        is_whole = all(self.may_be_part(word, range(word - 1, word)) for word in between)
        return row if is_whole and len(row) <= MAX_WORDS else None


@dataclass(frozen=True)
class TargetWords:
    """The words of a target text.

    Attributes:
        plain: the text without tags.
        words, places: spelling and character span of each word in `plain`.
        renders: the source word that each word translates, or -1.
        raw: character span of each word in the text with tags.
        pronouns: words such as "either" that translate a pronoun such as 任何一方.
    """

    plain: str
    words: tuple[str, ...]
    places: tuple[Span, ...]
    renders: tuple[int, ...]
    raw: tuple[Span, ...]
    pronouns: frozenset[int] = frozenset()

    def content(self, span: Span) -> list[int]:
        return [word for word in range(*span) if word in self.pronouns or _is_content(self.words[word])]

    @property
    def whole(self) -> Span:
        return 0, len(self.words)

    def trimmed(self, first: int, last: int) -> Span:
        """Trim a span to its first and last content words, including words that touch these: "re-open"."""
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
        return self.places[word - 1][1] == self.places[word][0]

    def folded(self, span: Span) -> tuple[str, ...]:
        return tuple(word.casefold() for word in self.words[slice(*span)])

    def sources(self, span: Span) -> set[int]:
        return {self.renders[word] for word in self.content(span)} - {-1}

    def has_translation(self, sources: range, span: Span) -> bool:
        """True if a word in a character span of the text with tags translates one of `sources`."""
        return any(
            self.renders[word] in sources and start < span[1] and span[0] < end
            for word, (start, end) in enumerate(self.raw)
        )

    def are_adjacent(self, sources: range) -> bool:
        words = [word for word in self.content(self.whole) if self.renders[word] in sources]
        return not words or words[-1] - words[0] < len(words)

    def rendering(self, sources: range, span: Span) -> Span | None:
        """Extend a span by words outside it that translate `sources`.

        Words with capitals after the first letter and words that the span already contains, as the second
        "Party" of "Party A and Party B", are left out.
        """
        content, folded = self.content(span), set(self.folded(span))
        plain = (n for n in self.content(self.whole) if self.words[n][1:] == self.words[n][1:].lower())
        further = (n for n in plain if self.words[n].casefold() not in folded)
        inside = {*content, *(n for n in further if self.renders[n] in sources)}
        if not inside:
            return None
        extended = min(inside), max(inside) + 1
        is_whole = all(word in inside for word in self.content(extended))
        return extended if is_whole and extended[1] - extended[0] <= MAX_WORDS else None

    def phrase(self, span: Span) -> str:
        """The text of a span, without capitals that only mark the start of a sentence or a heading."""
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
    """Align each word of a target text with the source word that it attends to most."""
    target = prepare_target(text, source.line.strings, drafter.target)
    columns = np.zeros((len(source.words), len(words.spans)))
    for row, word in enumerate(source.words):
        for column, (start, end) in enumerate(words.spans):
            shared = min(end, word.end) - max(start, word.start)
            columns[row, column] = max(0, shared) / (word.end - word.start)
    attention = drafter.word_attention(source, target) @ columns
    places = tuple((word.start, word.end) for word in target.words)
    raw = tuple(raw_span(target.line.tags, *place) for place in places)
    texts = tuple(word.text for word in target.words)
    is_empty = [not words.is_content(number) for number in range(len(words.spans))]
    attention[np.ix_([*map(_is_content, texts)], is_empty)] = 0
    renders = [int(row.argmax()) if row.size and row.max() > 0 else -1 for row in attention]
    pronouns = {}
    for number, word_text in enumerate(texts):
        translated = [*filter(words.is_pronoun, renders[number : number + 2])]
        if translated and word_text.lower() in PRONOUNS | {"one"}:
            pronouns[number] = renders[number] = translated[0]
    return TargetWords(target.line.plain, texts, places, tuple(renders), raw, frozenset(pronouns))


def _is_content(word: str) -> bool:
    return any(map(str.isalpha, word)) and word.casefold() not in _EMPTY_TARGETS
