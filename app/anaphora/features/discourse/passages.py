"""Splits a document's segments into passages of narration or direct speech, and finds persons in passages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora_text.chinese_words import frequency, tagged
from anaphora_text.function_words import read_pairs
from anaphora_text.han import HAN
from anaphora_text.names.person_names import SINGLE
from anaphora_text.punctuation import CLAUSE, COLONS, SPEECH_PAIRS, WIDE_COMMAS

FEMALE, MALE, UNKNOWN = "F", "M", "?"
WORDS = {key: words.split() for key, words in read_pairs("discourse.tsv").items()}
"""Lists of words by name, for example “infinitive”."""
GENDERS = {noun: gender for gender in (FEMALE, MALE) for noun in WORDS[gender]}
_NOUNS = "|".join(sorted(GENDERS, key=len, reverse=True))
GENDER_OF = {"他": MALE, "她": FEMALE}
_PRONOUNS = frozenset(["他", "她", "他们", "她们", "我", "我们"])

_OPENING, _CLOSING = ("".join(pair[side] for pair in SPEECH_PAIRS) for side in (0, 1))
_QUOTED = re.compile(f"[{_OPENING}]([^{_CLOSING}]*)(?:[{_CLOSING}]|$)")
_SPEECH_MARK = re.compile(f"[{_OPENING}{_CLOSING}]")
_LABEL = re.compile(rf"[{HAN}A-Za-z]{{1,8}}[{COLONS}]\s*")
_LABEL_OF_TARGET = re.compile(r"^(?:[A-Z][\w’'.-]*+\s?){1,4}:\s*")
"""These match a speaker's label (name and colon) at the beginning of a source and of a target."""
_ADDRESSED = re.compile(f"^{CLAUSE}{{1,6}}{WIDE_COMMAS[0]}(?=[您你])")
"""A form of address and a comma before 您 or 你, at the beginning of a speech."""
_MIN_LABELS = 3
"""A document is a script if at least this many sources begin with a speaker's name and a colon."""
_MIN_FREQUENCY = 100
"""A name of a place or thing that is rarer than this in jieba's dictionary may be a foreigner's name."""
_PERSON = re.compile(
    r"[人者员师生家手客友民工匠兵官迷伴]$|^[老小]\w$|^(?:老板|孩子|同学|大夫|警察|徒弟|亲戚|邻居|婴儿)$"
)
"""Matches nouns that denote persons; most of them have a typical last character."""
_TARGET_PRONOUN = re.compile(
    r"\b(?:(?P<M>He(?! [A-Z])|he|[Hh]im|[Hh]is|[Hh]imself)|(?P<F>[Ss]he|[Hh]ers?|[Hh]erself)"
    r"|(?P<they>[Tt]hey|[Tt]hem|[Tt]heirs?|[Tt]hemselves)"
    r"|(?P<I>I|[Mm]e|[Mm]y|[Mm]yself|[Ww]e|[Uu]s|[Oo]urs?|[Oo]urselves))\b"
)


@dataclass(frozen=True)
class Passage:
    """A segment's narration or its direct speech, with the translation.

    Attributes:
        words: the source's words, each with its part of speech in jieba's notation.
        names: the names of persons in the source.
        persons: the genders of the persons that nouns and names in the source mention; UNKNOWN if unclear.
    """

    segment: str
    is_speech: bool
    source: str
    target: str
    words: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    persons: frozenset[str] = frozenset()

    @property
    def pronouns(self) -> frozenset[str]:
        return _PRONOUNS.intersection(word for word, _ in self.words)

    @property
    def genders(self) -> frozenset[str]:
        """The genders of all persons in the source, pronouns included."""
        return self.persons | {GENDER_OF.get(each, UNKNOWN) for each in self.pronouns if each[0] != "我"}

    def uses(self, *kinds: str) -> list[str]:
        """The target's pronouns of the given kinds (MALE, FEMALE, "they", "I"), as spelt in the target."""
        return [each.group() for each in _TARGET_PRONOUN.finditer(self.target) if each.lastgroup in kinds]


def passages_of(segments: Iterable[Segment], names: Sequence[str]) -> list[Passage]:
    """The passages of segments, in order. `names` are the names of persons.

    A segment is omitted if narration or speech is only in its source or only in its target.
    """
    texts = [(each.id, *(MARK.sub("", text) for text in (each.source, each.target))) for each in segments]
    quoted = [sum(each[side].count(mark) for each in texts for mark in f'{_OPENING}"') for side in (1, 2)]
    if quoted[1] > 4 * quoted[0] + 4:
        return []  # old texts have no quotation marks, so their speech cannot be recognised
    is_script = sum(_LABEL.match(source) is not None for _, source, _ in texts) >= _MIN_LABELS
    passages, in_script, is_open = list[Passage](), False, False

    def add(segment: str, is_speech: bool, source: str, target: str) -> None:
        present = tuple(name for name in names if name in source)
        passages.append(Passage(segment, is_speech, source, target, tagged(source), present))

    for segment, source, target in texts:
        if is_script and (label := _LABEL.match(source)):
            in_script, source = True, _ADDRESSED.sub("", source[label.end() :])
            target = _LABEL_OF_TARGET.sub("", target)
        if in_script:
            add(segment, True, source, target)
            continue
        sources, targets = _split(source, is_open), _split(target, is_open)
        marks = _SPEECH_MARK.findall(source)
        is_open = marks[-1] in _OPENING if marks else is_open
        if [*map(bool, sources)] == [*map(bool, targets)]:
            for is_speech, text, target_text in zip((False, True), sources, targets, strict=True):
                if text:
                    add(segment, is_speech, text, target_text)
    known = _genders_of_names(passages)
    return [replace(each, persons=_persons(each, known)) for each in passages]


def _split(text: str, is_open: bool) -> tuple[str, str]:
    """The narration and the speech in a text, each "" if missing. `is_open`: it begins inside a quotation."""
    first, *rest = f"{'“' if is_open else ''}{text}".split('"')
    curly = first + "".join(("”" if (n + is_open) % 2 else "“") + part for n, part in enumerate(rest))
    pieces = _QUOTED.split(curly)
    narration, speech = (" ".join(pieces[side::2]).strip() for side in (0, 1))
    return narration if any(map(str.isalpha, narration)) else "", speech


def _persons(passage: Passage, known: Mapping[str, str]) -> frozenset[str]:
    """The genders of the persons that a passage mentions by noun or name; `known` has the names' genders."""
    genders, names = {known.get(name, UNKNOWN) for name in passage.names}, "".join(passage.names)
    for word, kind in passage.words:
        if word in names:
            continue
        if gender := GENDERS.get(word) or GENDERS.get(word[1:]):
            genders.add(gender)
        elif _may_be_person(word, kind) and not re.search(rf"是{CLAUSE}{{0,6}}{word}", passage.source):
            genders.add(UNKNOWN)  # 他是铁路工人 mentions one person, not two
    return frozenset(genders)


def _may_be_person(word: str, kind: str) -> bool:
    if kind.startswith("nr"):
        return len(word) > 1 or word in SINGLE
    if kind in ("ns", "nz") and frequency(word) < _MIN_FREQUENCY:
        return True
    return (kind[0] == "n" and _PERSON.search(word) is not None) or "A" <= word[0] <= "Z"


def _genders_of_names(passages: Sequence[Passage]) -> dict[str, str]:
    """The genders of names for which nouns beside them (王女士) and pronouns in the next passage agree."""
    genders: defaultdict[str, set[str]] = defaultdict(set)
    for passage, after in pairwise([*passages, Passage("", False, "", "")]):
        for name in passage.names:
            nouns = re.findall(
                rf"(?:{_NOUNS})(?={WIDE_COMMAS[0]}?(?:名?叫)?{name})|(?<={name})(?:{_NOUNS})", passage.source
            )
            genders[name].update(GENDERS[noun] for noun in (*nouns, name[-2:]) if noun in GENDERS)
        first = after.words[0][0] if after.words and not after.names else ""
        is_alone = len(passage.names) == 1 and not passage.pronouns and not _persons(passage, {}) - {UNKNOWN}
        if is_alone and first in GENDER_OF and after.is_speech == passage.is_speech:
            genders[passage.names[0]].add(GENDER_OF[first])
    return {name: min(known) for name, known in genders.items() if len(known) == 1}
