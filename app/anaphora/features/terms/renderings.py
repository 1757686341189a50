"""Finds the renderings of a source term by word alignments and by its renderings in other segments."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from anaphora.core.consistency import Occurrence, normal_form
from anaphora.core.tags import MARK
from anaphora.core.term_entries import TermEntry
from anaphora.features.terms.recognition import Recogniser, is_unspaced, word_edges
from anaphora_nmt.types import Explanation
from anaphora_text.function_words import FUNCTION_WORDS
from anaphora_text.han import UNSPACED_LETTERS
from anaphora_text.punctuation import AROUND_WORDS

_MIN_DEPENDENCE = 0.4
"""A rendering must have a word that depends on the term at least this much (see `_dependences`)."""
_MIN_BEFORE, _MIN_AFTER = 0.35, 0.63
"""A word before or after a rendering belongs to it if the word depends on the term at least this much. The
second limit is higher, because for example the verb after a subject depends on the subject, too."""
_MIN_IF_KNOWN = 0.1
"""A word that renders the term in other segments is accepted if it depends on the term at least this much."""
_MIN_IF_UNKNOWN = 0.52
"""If several renderings are known, one that occurs only once must depend on the term at least this much."""
_POSSESSIVE_PRONOUNS = frozenset(("my", "your", "his", "her", "our", "their"))
_DETERMINERS = "本该此各某每"
"""Determiners that jieba joins with a noun: 本合同 (this contract)."""
_PRONOUN_CHARACTERS = "我你您贵他她咱其"
_PAIR_CHARACTERS = "双两俩二"
_MARKS = AROUND_WORDS + " —–-*`"
_SEAM = re.compile(rf"(?<=[{UNSPACED_LETTERS}]) (?=[{UNSPACED_LETTERS}])")
_HYPHENS = re.compile(r"(?<![^\W\d_])[^\W\d_]++(?:[-\u2010\u2011][^\W\d_]++)+")
_NUMBER = re.compile(r"[\d.,%]+")
_POSSESSIVE = re.compile(r"['’]s?$")


@dataclass(frozen=True, slots=True)
class FoundRendering:
    """The target text of one occurrence of a term.

    Attributes:
        text: the words; empty if the alignment is not clear enough.
        start, end: range of the rendering in `words`, which contains all words of the target.
        mass: how much each of `words` depends on the term, in [0, 1].
    """

    text: str
    start: int
    end: int
    mass: tuple[float, ...]
    words: tuple[str, ...]


def renderings_of(term: str, source: str, explanation: Explanation) -> Iterator[FoundRendering]:
    """The aligned rendering of each occurrence of a term as a whole word in a source."""
    stretches = stretches_of(term, source)
    if not stretches:
        return
    groups = _words_of(explanation)
    spans = (
        (explanation.tokens[group.start].start, explanation.tokens[group.stop - 1].end) for group in groups
    )
    words = tuple(explanation.text[start:end] for start, end in spans)
    for start, end in stretches:
        dependences = _dependences(explanation, start, end)
        yield _rendering(term, tuple(max(dependences[number] for number in group) for group in groups), words)


def _words_of(explanation: Explanation) -> list[range]:
    """The range of target tokens in each word of the target; a hyphenated word is one word."""
    text = explanation.text
    edges = word_edges(text) if is_unspaced(text) else dict(each.span() for each in _HYPHENS.finditer(text))
    groups: list[range] = []
    end = 0
    for number, token in enumerate(explanation.tokens):
        if groups and token.start < end:
            groups[-1] = range(groups[-1].start, number + 1)
            continue
        groups.append(range(number, number + 1))
        end = edges.get(token.start, max(end, token.end))
        if end - token.start > 2 and explanation.text[token.start] in _DETERMINERS:
            edges[token.start + 1], end = end, token.end
    return groups


def stretches_of(term: str, source: str) -> list[tuple[int, int]]:
    return [(found.start, found.end) for found in Recogniser((TermEntry(term),)).find(source)]


def _dependences(explanation: Explanation, start: int, end: int) -> tuple[float, ...]:
    """How much each target token depends on the source from `start` to `end`, in [0, 1].

    One measure is the attention of the alignment head at the token. The other is the share of the token's
    probability that is lost without this part of the source. If both are known, the result is their mean: the
    head is often off by one word, and the second of two words that always occur together loses little.
    """
    columns = [
        column
        for column, word in enumerate(explanation.source_words)
        if word.start < end and word.end > start
    ]
    attention = tuple(
        sum(token.attention[column] for column in columns if column < len(token.attention))
        for token in explanation.tokens
    )
    lost = next((each.words for each in explanation.stretches if (each.start, each.end) == (start, end)), ())
    if len(lost) != len(attention):
        return attention
    return tuple((head - math.expm1(-max(nats, 0.0))) / 2 for head, nats in zip(attention, lost, strict=True))


def reconcile(found: Sequence[tuple[str, FoundRendering]]) -> list[Occurrence]:
    """The renderings of one term from pairs of (segment id, aligned rendering).

    An alignment is often weak, or wrong by one word. Therefore other words of the target replace
    the aligned words if they depend on the term and render it in more segments.
    """
    known = {(normal_form(rendering.text), segment) for segment, rendering in found if rendering.text}
    counts = Counter(form for form, _ in sorted(known) if form)
    by_segment: dict[str, dict[str, tuple[float, str]]] = {}
    for segment, rendering in found:
        if text := _best_text(rendering, counts):
            texts, form = by_segment.setdefault(segment, {}), normal_form(text)
            texts[form] = max(texts.get(form, (0.0, "")), (max(rendering.mass), text))
    return [
        Occurrence(segment, text)
        for segment, texts in by_segment.items()
        for text in _without_guesses(texts, counts)
    ]


def _without_guesses(texts: Mapping[str, tuple[float, str]], counts: Counter[str]) -> list[str]:
    """The clearest of several renderings in one segment, and those that occur in other segments too.

    If a source repeats a term, the target often has one rendering only, and the other alignments are wrong.
    `texts` contains the dependence and the text of each rendering, by normal form.
    """
    clearest = max(texts, key=lambda form: texts[form])
    return [text for form, (_, text) in texts.items() if form == clearest or counts[form] > 1]


def _best_text(found: FoundRendering, counts: Counter[str]) -> str:
    """The aligned text, or words that render the term in more segments; "" if neither is certain enough."""
    aligned_form = normal_form(found.text)
    if aligned_form and counts[aligned_form] < 2 <= len(counts) and max(found.mass) < _MIN_IF_UNKNOWN:
        aligned_form = ""
    best, best_count = found.text if aligned_form else "", counts[aligned_form] if aligned_form else 0
    for form, count in counts.most_common():
        if count < 2 or count <= best_count:
            break
        for start, end in _positions(form, found):
            mass = max(found.mass[start:end])
            touches = start <= found.end and found.start <= end
            if mass >= _MIN_IF_KNOWN and (touches or not aligned_form or mass >= _MIN_DEPENDENCE):
                return _text(found.words, start, end)
    return best


def _positions(form: str, found: FoundRendering) -> Iterator[tuple[int, int]]:
    length = len(form.split())
    # Without spaces, the number of words in a form is unknown.
    max_length = len(form) if is_unspaced(form) else length
    for start in range(len(found.words) - length + 1):
        for end in range(start + length, min(start + max_length, len(found.words)) + 1):
            if normal_form(_text(found.words, start, end)) == form:
                yield start, end
                break


def _rendering(term: str, mass: tuple[float, ...], words: tuple[str, ...]) -> FoundRendering:
    """The target words around the content word that depends most on a term; empty if none depends enough."""
    content = [
        each if _is_content(word, number, term) else 0.0
        for number, (word, each) in enumerate(zip(words, mass, strict=True))
    ]
    if not content or max(content) < _MIN_DEPENDENCE:
        return FoundRendering("", 0, 0, mass, words)
    first = last = content.index(max(content))
    while first > 0 and content[first - 1] >= _MIN_BEFORE:
        first -= 1
    while last + 1 < len(words) and content[last + 1] >= _MIN_AFTER:
        last += 1
    # "letter of credit", "port of Shanghai"
    if last + 2 < len(words) and words[last + 1].lower() == "of" and content[last + 2] >= _MIN_BEFORE:
        last += 2
    elif first > 1 and words[first - 1].lower() == "of" and content[first - 2] >= _MIN_BEFORE:
        first -= 2
    return FoundRendering(_text(words, first, last + 1), first, last + 1, mass, words)


def _text(words: Sequence[str], start: int, end: int) -> str:
    text = " ".join(MARK.sub(" ", _SEAM.sub("", " ".join(words[start:end]))).split()).strip(_MARKS)
    return _POSSESSIVE.sub("", text)


def _is_content(word: str, number: int, term: str) -> bool:
    bare = word.strip(_MARKS)
    if not any(char.isalnum() for char in bare) or MARK.fullmatch(word):
        return False
    if _NUMBER.fullmatch(bare):
        return any(char.isdigit() for char in term)
    if len(bare) == 1 and bare.isupper():
        return number > 0 and bare != "I"  # "Party A"
    if bare.lower() in _POSSESSIVE_PRONOUNS:
        return term[0] in _PRONOUN_CHARACTERS
    if bare.lower() == "both":
        return any(char in _PAIR_CHARACTERS for char in term)
    return bare.lower() not in FUNCTION_WORDS
