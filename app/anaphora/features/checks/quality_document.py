"""Comparison of segments: differing translations of a text, shared translations, names, unknown words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache

from rapidfuzz.distance import Levenshtein

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.length_limits import count_words
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK
from anaphora.core.text import fold
from anaphora.features.checks.segment.check import Check, RemarkKind, translate
from anaphora.features.spelling.speller import words_of
from anaphora.features.terms.recognition import UNSPACED

_MIN_WORDS = 3
"""Different sources may share a translation with fewer words than this, such as a label."""
_CHARACTERS_PER_WORD = 2
_LANGUAGES_OF_NAMES = frozenset(
    ["en", "fr", "es", "pt", "it", "ca", "nl", "da", "sv", "no", "id", "ms", "vi", "tl", "af"]
)
"""Languages whose names are compared: they capitalise only names and do not inflect them, unlike German."""
_MIN_ALIKE = 0.6
"""Sources with at least this similarity (0 to 1, by edit distance) may have the same translation."""
_MAX_NAMES = 3000
_TRUSTED = (Status.CONFIRMED, Status.LOCKED)
_CAPITALISED = re.compile(r"(?<![\w.’'-])[A-Z][a-z]{3,}(?![\w’'-])")
_SPACED_WORD = re.compile(r"[^\W\d_]{4,}")
_MARKS_BEFORE_SENTENCE = frozenset('.!?:;“"(]•–—|-')
_DERIVED_ENDINGS = ("s", "es", "ed", "d", "ing", "ly", "al", "r", "er", "n", "an", "ian", "y", "ic")


def _use_other(source: str, target: str, other: str) -> str:
    return other


def _rename(source: str, target: str, name: str) -> str:
    for word in dict.fromkeys(_CAPITALISED.findall(MARK.sub(" ", target))):
        if is_variant(word, name):
            target = re.sub(rf"\b{re.escape(word)}\b", name, target)
    return target


OTHER_TARGET = Check(
    "translated-otherwise",
    translate("Quality", "The same text is translated differently elsewhere: “{0}”."),
    RemarkKind.CONSISTENCY,
    _use_other,
)
OTHER_SOURCE = Check(
    "same-translation",
    translate("Quality", "Another text has the same translation: “{0}”."),
    RemarkKind.CONSISTENCY,
)
OTHER_NAME = Check(
    "name-otherwise",
    translate("Quality", "This name is written differently elsewhere: “{0}”."),
    RemarkKind.NAMES,
    _rename,
)
INVENTED = Check(
    "word-invented",
    translate(
        "Quality",
        "Unknown word: “{0}” (not in the dictionaries, the source or confirmed text).",
    ),
    RemarkKind.WORDING,
)
CHECKS = (OTHER_TARGET, OTHER_SOURCE, OTHER_NAME, INVENTED)

Report = tuple[str, Check, str]
"""(segment id, check, text for the remark: another segment's text or name, or the unknown word)."""
Inventions = Callable[[Segment], Iterable[str]]
"""Finds the words of a segment's target that are not in the dictionaries, the source or a term base."""


def check_together(
    segments: Sequence[Segment],
    stop: Callable[[], bool] = bool,
    inventions: Inventions | None = None,
    pair: LanguagePair = CHINESE_TO_ENGLISH,
) -> Iterator[Report]:
    """Contradictions between segments with a target, and unknown words, until `stop` returns True."""
    translated = [segment for segment in segments if segment.target.strip()]
    yield from other_targets(translated)
    if not stop():
        yield from other_sources(translated, pair)
    if not stop() and pair.target_language.code in _LANGUAGES_OF_NAMES:
        yield from other_names(translated, stop)
    if inventions is not None:
        yield from invented_words(translated, inventions, stop)


def invented_words(
    segments: Sequence[Segment], inventions: Inventions, stop: Callable[[], bool] = bool
) -> Iterator[Report]:
    """Unknown words that neither a source nor a confirmed or locked target has; none if `stop` returns True.

    A word in several drafts is still unknown, because the model may invent the same word twice.
    """
    words: dict[str, list[Segment]] = defaultdict(list)
    for segment in segments:
        if stop():
            return
        for word in inventions(segment):
            words[word].append(segment)
    known = words_of(segment.source for segment in segments) if words else ()
    for word, containing in words.items():
        if word.casefold() not in known and not any(each.status in _TRUSTED for each in containing):
            yield from ((segment.id, INVENTED, word) for segment in containing)


def other_targets(segments: Iterable[Segment]) -> Iterator[Report]:
    """Different translations of the same source in the same context, see `_differing`."""
    groups: dict[Hashable, list[Segment]] = defaultdict(list)
    for segment in segments:
        groups[_single_line(segment.source), segment.contexts].append(segment)
    for group in groups.values():
        yield from _differing(group, lambda each: each.target, OTHER_TARGET)


def other_sources(segments: Iterable[Segment], pair: LanguagePair = CHINESE_TO_ENGLISH) -> Iterator[Report]:
    """Dissimilar sources with the same translation of `_MIN_WORDS` or more words, see `_differing`."""
    groups: dict[str, list[Segment]] = defaultdict(list)
    for segment in segments:
        if _is_long(segment.target) and pair.needs_translation(segment.source):
            groups[_single_line(segment.target)].append(segment)
    for group in groups.values():
        if not _all_alike([_letters(each.source) for each in group]):
            yield from _differing(group, lambda each: each.source, OTHER_SOURCE)


def _is_long(target: str) -> bool:
    counted = count_words(target)
    return max(len(target.split()), counted.words + counted.characters // _CHARACTERS_PER_WORD) >= _MIN_WORDS


def _all_alike(texts: Sequence[str]) -> bool:
    first = texts[0]
    return all(Levenshtein.normalized_similarity(first, text, score_cutoff=_MIN_ALIKE) for text in texts[1:])


def _differing(group: list[Segment], text_of: Callable[[Segment], str], check: Check) -> Iterator[Report]:
    """Findings for segments without the most frequent text of a group, or for all if there is a tie."""
    texts = Counter(_single_line(text_of(each)).casefold() for each in group)
    if len(texts) < 2:
        return
    (common, count), (_, next_count) = texts.most_common(2)
    for segment in group:
        line = _single_line(text_of(segment)).casefold()
        if line == common and count > next_count:
            continue
        wanted = common if line != common else next(text for text in texts if text != line)
        shown = next(text_of(each) for each in group if _single_line(text_of(each)).casefold() == wanted)
        yield segment.id, check, shown


def other_names(segments: Sequence[Segment], stop: Callable[[], bool] = bool) -> Iterator[Report]:
    """Names that resemble a more frequent name of another segment, if the two sources share a word."""
    segments_with: dict[str, dict[str, Segment]] = defaultdict(dict)
    counts: Counter[str] = Counter()
    lower_case_words: set[str] = set()
    for segment in segments:
        target = MARK.sub(" ", segment.target)
        lower_case_words.update(re.findall(r"\b[a-z]{4,}\b", target))
        for match in _CAPITALISED.finditer(target):
            if not _may_open_sentence(target, match.start()):
                segments_with[match.group()][segment.id] = segment
                counts[match.group()] += 1
    names = [name for name in segments_with if name.casefold() not in lower_case_words][:_MAX_NAMES]
    by_length: dict[int, list[str]] = defaultdict(list)
    for name in names:
        by_length[len(name)].append(name)
    words_in = cache(_words)
    for name in names:
        if stop():
            return
        near = (other for size in range(len(name) - 1, len(name) + 2) for other in by_length.get(size, ()))
        for other in near:
            if is_variant(name, other) and (counts[name], name) < (counts[other], other):
                for segment in segments_with[name].values():
                    words = words_in(segment.source)
                    other_words = (words_in(each.source) for each in segments_with[other].values())
                    if other not in segment.target and not all(map(words.isdisjoint, other_words)):
                        yield segment.id, OTHER_NAME, other


def _may_open_sentence(text: str, offset: int) -> bool:
    while offset and text[offset - 1].isspace():
        offset -= 1
        if text[offset] == "\n":
            return True
    return not offset or text[offset - 1] in _MARKS_BEFORE_SENTENCE


def is_variant(name: str, other: str) -> bool:
    """True if two names are so alike that one of them is probably misspelt."""
    if name == other or abs(len(name) - len(other)) > 1:
        return False
    if any(name + ending == other or other + ending == name for ending in _DERIVED_ENDINGS):
        return False
    max_distance = 1 if min(len(name), len(other)) < 7 else 2
    return Levenshtein.distance(name, other, score_cutoff=max_distance) <= max_distance


def _words(source: str) -> frozenset[str]:
    """The words of four or more letters in a source, and its pairs of characters in unspaced scripts."""
    pairs = (source[start : start + 2] for start in range(len(source) - 1))
    unspaced = (pair for pair in pairs if all(map(UNSPACED.match, pair)))
    return frozenset(unspaced).union(map(str.casefold, _SPACED_WORD.findall(source)))


def _single_line(text: str) -> str:
    return " ".join(text.split())


def _letters(source: str) -> str:
    return "".join(char for char in fold(MARK.sub("", source)) if char.isalpha())
