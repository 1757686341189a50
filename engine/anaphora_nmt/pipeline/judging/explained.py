"""The distinction between changes of a draft that confirmed text explains and harmful changes.

The model follows a remembered word if the decoder's step is similar. Sometimes this similarity is accidental:
then the word translates nothing in this source, or replaces content of the earlier draft.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher
from itertools import islice

import numpy as np

from anaphora_nmt.quality.evidence import Evidence, EvidenceWord
from anaphora_text.function_words import FUNCTION_WORDS
from anaphora_text.han import is_han
from anaphora_text.word_forms import stem

ConfirmedTarget = tuple[str, Callable[[], Evidence]]
"""A confirmed target, and a function that decodes it."""

_MAX_FUNCTION_LOSS = 1.0
"""Maximum loss in nats of a function word that the model might choose without memory: the sum of its pieces'
distances from the most probable pieces."""
_MIN_ATTENDED = 0.5
"""Minimum attention, relative to that on the strongest source word, on a source word that counts."""
_MIN_OVERLAP = 0.8
"""Minimum overlap of the source words that two target words attend to."""
_MIN_TRANSLATED, _MIN_REMAINING = 0.4, 0.35
"""Minimum attention of a target word on a translated source word, and minimum share of that attention that a
translated word keeps in the changed draft; otherwise the word is lost."""
_MAX_TOTAL_LOSS = 1.0
"""Maximum sum of all decreases of attention; above it, words are also lost."""
_PARTICLES = frozenset("的地得了着过之是在和与及或把被将从对由于为以而但也都就等其这那不后中上下者所")
"""Chinese characters that attach to any neighbour."""
_NEGATIONS = frozenset(("not", "no", "never", "cannot", "without", "nor", "neither"))
_MAX_DECODED = 4
"""Maximum number of confirmed targets to decode for a word, starting with the last one."""


def is_explained(changed: Evidence, former: Evidence, confirmed: Iterable[ConfirmedTarget]) -> bool:
    """True if a changed draft keeps its content, and its new words come from fitting contexts.

    A new content word fits if it translates the same source words in a confirmed target. A function word fits
    if the model might choose it without memory, or if its source words are in a confirmed source. The
    constants were chosen on 600 changed drafts of the dev sets (measure_changed_drafts.py of c814ada7).

    Args:
        changed, former: evidence of both drafts, decoded with the memory.
        confirmed: the confirmed targets, the last one first.
    """
    shares = _shares(changed)
    if _drops_content(changed, former) or _loses_words(former, _shares(former), shares):
        return False
    doubtful = [place for place in _new_words(changed, former) if _is_doubtful(changed, place)]
    known = list(confirmed) if doubtful else []
    return all(
        _is_remembered(changed.target_words[place].text, _attended_words(changed, shares[place]), known)
        for place in doubtful
    )


def _new_words(changed: Evidence, former: Evidence) -> Iterator[int]:
    """The places of words whose forms are missing from the former draft, or rarer in it."""
    left = Counter(stem(word.text) for word in former.target_words)
    for place, word in enumerate(changed.target_words):
        left[stem(word.text)] -= 1
        if left[stem(word.text)] < 0 and any(map(str.isalpha, word.text)):
            yield place


def _is_doubtful(draft: Evidence, place: int) -> bool:
    """True if only confirmed text can justify a new word: a content word, or an improbable one."""
    word = draft.target_words[place]
    is_unlikely = float(draft.strays[word.first : word.last].sum()) > _MAX_FUNCTION_LOSS
    return is_unlikely or word.text.lower() not in FUNCTION_WORDS


def _is_remembered(text: str, attended: set[str], confirmed: Iterable[ConfirmedTarget]) -> bool:
    """True if one of the last confirmed targets has a form of the word for the same source words."""
    pattern = re.compile(rf"\b(?:{re.escape(text.lower())}|{re.escape(stem(text))})")
    matching = (decode for target, decode in confirmed if pattern.search(target.lower()))
    for decode in islice(matching, _MAX_DECODED):
        decoded = decode()
        if text.lower() in FUNCTION_WORDS:  # their attention is arbitrary
            if len(attended & _parts(decoded.source_words)) >= _MIN_OVERLAP * len(attended):
                return True
            continue
        for word, row in zip(decoded.target_words, _shares(decoded), strict=True):
            if pattern.match(word.text.lower()):
                other = _attended_words(decoded, row)
                if len(attended & other) >= _MIN_OVERLAP * len(attended | other):
                    return True
    return False


def _attended_words(draft: Evidence, row: np.ndarray) -> set[str]:
    """The source words that a target word attends to."""
    minimum = _MIN_ATTENDED * row.max(initial=0)
    return _parts(word for word, share in zip(draft.source_words, row, strict=True) if share >= minimum)


def _parts(words: Iterable[EvidenceWord]) -> set[str]:
    """The characters of Chinese source words, and other source words whole."""
    texts = (word.text for word in words)
    return {part for text in texts for part in (text if any(map(is_han, text)) else (text.lower(),))}


def _drops_content(changed: Evidence, former: Evidence) -> bool:
    """True if content words are removed without replacement, or the number of negations changes."""
    old, new = ([word.text.lower() for word in draft.target_words] for draft in (former, changed))
    if sum(word in _NEGATIONS for word in old) != sum(word in _NEGATIONS for word in new):
        return True
    left = {*map(stem, new)}
    for _, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        removed = [word for word in _content(old[first:last]) if stem(word) not in left]
        if removed and not _content(new[start:end]):
            return True
    return False


def _content(words: Iterable[str]) -> list[str]:
    return [word for word in words if any(map(str.isalnum, word)) and word not in FUNCTION_WORDS]


def _loses_words(draft: Evidence, former: np.ndarray, changed: np.ndarray) -> bool:
    """True if the changed draft, unlike `draft`, does not translate some source words.

    `former` and `changed` are the `_shares` of both drafts.
    """
    if not len(former) or not len(changed):
        return len(changed) < len(former)
    matter = [
        any(map(str.isalnum, word.text)) and not _PARTICLES.issuperset(word.text)
        for word in draft.source_words
    ]
    old, new = former.max(0)[matter], changed.max(0)[matter]
    lost = (old >= _MIN_TRANSLATED) & (new < _MIN_REMAINING * old)
    return bool(lost.any() or (old - new).clip(0).sum() > _MAX_TOTAL_LOSS)


def _shares(draft: Evidence) -> np.ndarray:
    """The attention of each target word on each source word, [target words, source words]."""
    sums = np.pad(draft.attention.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    target = np.array([(word.first, word.last) for word in draft.target_words], int).reshape(-1, 2)
    source = np.array([(word.first, word.last) for word in draft.source_words], int).reshape(-1, 2)
    rows = sums[target[:, 1]] - sums[target[:, 0]]
    shares: np.ndarray = rows[:, source[:, 1]] - rows[:, source[:, 0]]
    return shares / (target[:, 1] - target[:, 0])[:, None]
