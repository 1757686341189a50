"""Checks of segments against each other: repetitions rendered otherwise, translations used twice, names."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from rapidfuzz.distance import Levenshtein

from anaphora.core.folding import fold
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK
from anaphora.core.text import HAN

_SAID_TWICE = 3
"""Words from which on it is odd that one translation serves two texts; shorter ones are labels."""
_ALIKE = 0.6
"""The share of equal characters from which on two sources may well have one translation."""
_MOST_NAMES = 3000
_CAPITAL = re.compile(r"(?<![\w.’'-])[A-Z][a-z]{3,}(?![\w’'-])")
_OPENS = re.compile(r"(?:^|[.!?:;“\"(\n\]•–—|-])\s*$")
_ENDINGS = ("s", "es", "ed", "d", "ing", "ly", "al", "r", "er", "n", "an", "ian", "y", "ic")

Found = tuple[str, str, str]
"""Segment id, kind (one of those below), and what stands elsewhere."""
OTHER_TARGET, OTHER_SOURCE, OTHER_NAME = "other target", "other source", "other name"
INVENTED = "invented"
Inventions = Callable[[Segment], Iterable[str]]
"""Words of a segment's target that stand in no dictionary, nor in its source, nor in a term base."""


def check_together(
    segments: Sequence[Segment], stop: Callable[[], bool] = bool, inventions: Inventions | None = None
) -> Iterator[Found]:
    """What segments with a target contradict in each other, and words that stand nowhere else.

    Args:
        stop: asked between the checks.
    """
    done = [segment for segment in segments if segment.target.strip()]
    yield from other_targets(done)
    if not stop():
        yield from other_sources(done)
    if not stop():
        yield from other_names(done)
    if inventions is not None:
        yield from invented_words(done, inventions, stop)


def invented_words(
    segments: Iterable[Segment], inventions: Inventions, stop: Callable[[], bool] = bool
) -> Iterator[Found]:
    """Words of no dictionary that stand in one segment only, which nobody has confirmed."""
    words: dict[str, list[Segment]] = defaultdict(list)
    for segment in segments:
        if stop():
            return
        for word in inventions(segment):
            words[word].append(segment)
    for word, (first, *others) in words.items():
        if not others and first.status is not Status.CONFIRMED:
            yield first.id, INVENTED, word


def other_targets(segments: Iterable[Segment]) -> Iterator[Found]:
    """Segments whose source has another translation elsewhere: that of most, or else the first."""
    groups: dict[str, list[Segment]] = defaultdict(list)
    for segment in segments:
        groups[_line(segment.source)].append(segment)
    for group in groups.values():
        yield from _differing(group, lambda each: each.target, OTHER_TARGET)


def other_sources(segments: Iterable[Segment]) -> Iterator[Found]:
    """Segments whose translation, of several words, is that of another text, too."""
    groups: dict[str, list[Segment]] = defaultdict(list)
    for segment in segments:
        if len(segment.target.split()) >= _SAID_TWICE and HAN.search(segment.source):
            groups[_line(segment.target)].append(segment)
    for group in groups.values():
        if not _all_alike([_letters(each.source) for each in group]):
            yield from _differing(group, lambda each: each.source, OTHER_SOURCE)


def _all_alike(texts: Sequence[str]) -> bool:
    """Whether texts are so like the first one that they may well mean the same."""
    return all(Levenshtein.normalized_similarity(texts[0], text) >= _ALIKE for text in texts[1:])


def _differing(group: list[Segment], text_of: Callable[[Segment], str], kind: str) -> Iterator[Found]:
    texts = Counter(_line(text_of(each)).casefold() for each in group)
    if len(texts) < 2:
        return
    (common, most), (_, next_most) = texts.most_common(2)
    for segment in group:
        own = _line(text_of(segment)).casefold()
        if own == common and most > next_most:
            continue  # the rarer ones are those to look at
        wanted = common if own != common else next(text for text in texts if text != own)
        shown = next(text_of(each) for each in group if _line(text_of(each)).casefold() == wanted)
        yield segment.id, kind, shown


def other_names(segments: Sequence[Segment]) -> Iterator[Found]:
    """Names that are written a little otherwise elsewhere, where the sources say the same."""
    places: dict[str, list[Segment]] = defaultdict(list)
    lower: set[str] = set()
    for segment in segments:
        target = MARK.sub(" ", segment.target)
        lower.update(re.findall(r"\b[a-z]{4,}\b", target))
        for match in _CAPITAL.finditer(target):
            if not _OPENS.search(target[: match.start()]):
                places[match.group()].append(segment)
    names = [name for name in places if name.casefold() not in lower][:_MOST_NAMES]
    by_length: dict[int, list[str]] = defaultdict(list)
    for name in names:
        by_length[len(name)].append(name)
    for name in names:
        near = (other for size in range(len(name) - 1, len(name) + 2) for other in by_length.get(size, ()))
        for other in near:
            if _is_variant(name, other) and (len(places[name]), name) < (len(places[other]), other):
                for segment in places[name]:
                    if other not in segment.target and _share_name(segment, places[other]):
                        yield segment.id, OTHER_NAME, other


def name_variants(target: str, name: str) -> list[str]:
    """Words of a target that are a name written a little otherwise."""
    found = dict.fromkeys(match.group() for match in _CAPITAL.finditer(MARK.sub(" ", target)))
    return [word for word in found if _is_variant(word, name)]


def _is_variant(one: str, other: str) -> bool:
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    if any(one + ending == other or other + ending == one for ending in _ENDINGS):
        return False
    most = 1 if min(len(one), len(other)) < 7 else 2
    return Levenshtein.distance(one, other, score_cutoff=most) <= most


def _share_name(segment: Segment, others: Iterable[Segment]) -> bool:
    """Whether two Chinese characters in a row stand in both sources."""
    own = _pairs(segment.source)
    return any(own & _pairs(other.source) for other in others)


def _pairs(source: str) -> set[str]:
    pairs = (source[place : place + 2] for place in range(len(source) - 1))
    return {pair for pair in pairs if all(map(HAN.match, pair))}


def _line(text: str) -> str:
    return " ".join(text.split())


def _letters(source: str) -> str:
    """A source without numbers, marks, case and width: what differs only in these may be said alike."""
    return "".join(char for char in fold(MARK.sub("", source)) if char.isalpha())
