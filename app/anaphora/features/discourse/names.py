"""The names in a document, their usual translations, and targets that spell a name differently."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.features.checks.quality_document import is_variant
from anaphora.features.discourse.results import Mismatch, RenderedName
from anaphora.features.terms.first_sight import names_in
from anaphora.features.terms.phrases import PhraseKind as NameKind
from anaphora.features.terms.word_book import open_word_book
from anaphora.system.locations import glossary
from anaphora_text.names.person_names import TITLES, find_persons, find_titled

_CAPITALS = re.compile(r"(?:[^\W\d_a-z][\w’'-]*[^\W_](?: (?=[^\W\d_a-z]))?)+")
"""A run of capitalised words."""
_HONORIFICS = frozenset(title.strip(".") for title in TITLES.values()) | {"The", "Master"}
_MIN_COUNT, _MIN_RENDERED = 2, 2
"""Minimum number of sources with a name; minimum number of targets with its usual translation."""
_MAX_WORDS = 6


@lru_cache(maxsize=2)
def names_of(sources: tuple[str, ...], is_chinese: bool) -> dict[str, bool]:
    """The repeated names in the sources, with True for persons. Too slow for the window's thread."""
    if is_chinese:
        kinds = names_in(sources, open_word_book(glossary("zh", "en"), None))
        names = {name: kind is NameKind.PERSON for name, kind in kinds.items() if kind is not NameKind.TERM}
        for text in sources:
            persons = find_persons(text)
            spans = (*persons, *find_titled(text, persons))
            names |= {text[name.start : name.end]: True for name in spans}
    else:
        phrases = (match.group() for text in sources for match in _CAPITALS.finditer(text) if match.start())
        lower = frozenset(re.findall(r"\b[^\W\d_A-Z]\w+", "\n".join(sources)))
        names = {name: False for name in phrases if lower.isdisjoint(name.lower().split())}
    counts = {name: sum(name in text for text in sources) for name in names}
    return {name: names[name] for name, count in counts.items() if count >= _MIN_COUNT}


def renderings_of(names: Iterable[str], segments: Sequence[Segment]) -> list[RenderedName]:
    """The names with their renderings; the names that occur in the most segments come first."""
    phrases = {each.id: _phrases(MARK.sub("", each.target)) for each in segments}
    all_counts = Counter(chain.from_iterable(phrases.values()))
    segment_ids = {name: tuple(each.id for each in segments if name in each.source) for name in names}
    usual = {name: _usual([phrases[each] for each in ids], all_counts) for name, ids in segment_ids.items()}
    known = frozenset(word for rendering in usual.values() for word in rendering.split())
    rendered = []
    for name, ids in segment_ids.items():
        spellings = [(each, _misspelling(usual[name], phrases[each], known)) for each in ids if usual[name]]
        errors = tuple(Mismatch("name", each, name, text, usual[name]) for each, text in spellings if text)
        rendered.append(RenderedName(name, usual[name], ids, errors))
    return sorted(rendered, key=lambda each: (-len(each.segments), each.name))


def _phrases(text: str) -> set[str]:
    """Possible names in a target: the parts of each run of capitalised words, without titles and “'s”."""
    candidates = set[str]()
    for match in _CAPITALS.finditer(text):
        words = [re.sub(r"['’]s$", "", word) for word in match.group().split() if word not in _HONORIFICS]
        spans = [(a, b) for a in range(len(words)) for b in range(a + 1, min(a + _MAX_WORDS, len(words)) + 1)]
        candidates |= {" ".join(words[a:b]) for a, b in spans}
    return candidates


def _usual(phrases: Sequence[set[str]], all_counts: Counter[str]) -> str:
    """The longest phrase in most targets of a name and in few other targets; "" if there is none."""
    counts = Counter(chain.from_iterable(phrases))
    candidates = [each for each, n in counts.items() if n >= _MIN_RENDERED and 2 * n > len(phrases)]
    candidates = [each for each in candidates if 2 * counts[each] > all_counts[each]]
    return max(candidates, key=lambda each: (len(each.split()), counts[each], len(each), each), default="")


def _misspelling(usual: str, phrases: set[str], known: frozenset[str]) -> str:
    """Another spelling of the usual rendering in a target's phrases; "" if there is none or more than one."""
    missing = [word for word in usual.split() if word not in phrases] if usual not in phrases else []
    single = [each for each in phrases - known if " " not in each]
    words = [each for each in single for word in missing if each[0] == word[0] and is_variant(each, word)]
    if len(words) != 1:
        return ""
    longer = [each for each in phrases if words[0] in each.split() and each.count(" ") <= usual.count(" ")]
    return max(longer, key=len)
