"""Distinguishes changes of a draft explained by confirmed text from harmful ones.

A remembered word is followed if the step of the decoder is similar. Now and then this happens by chance:
the word then renders nothing in this source, or replaces content of the earlier draft.
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

Confirmed = tuple[str, Callable[[], Evidence]]
"""A confirmed target, and what decodes it."""

_UNLIKELY = 1.0
"""A function word is the model's own as long as its pieces are together no more nats less probable, without
memory, than the most probable ones."""
_PART = 0.5
"""A target word stands for source words with so much of the attention that it gives to the strongest one."""
_SAME = 0.8
"""How much of what two words stand for has to be the same."""
_SAID, _LEFT = 0.4, 0.35
"""A source word is rendered if a target word gives it so much of its attention, and lost if in the changed
draft none gives it that part of what one gave it before."""
_ALL_IN_ALL = 1.0
"""A word is also lost if the attention to all source words falls by this much."""
_PARTICLES = frozenset("的地得了着过之是在和与及或把被将从对由于为以而但也都就等其这那不后中上下者所")
"""Chinese characters that join any neighbour."""
_NEGATIONS = frozenset(("not", "no", "never", "cannot", "without", "nor", "neither"))
_READ = 4
"""Confirmed targets with a word that are decoded for it at most, the last ones."""


def is_explained(changed: Evidence, before: Evidence, confirmed: Iterable[Confirmed]) -> bool:
    """True if a changed draft keeps its content, and its new words come from fitting contexts.

    A new content word fits if it renders the same source words as in a confirmed target; a function
    word, if the model itself might choose it, or if these are in the confirmed source. The constants were
    chosen on 600 changed drafts of the dev sets, read by eye: tests/benchmarks/measure_changed_drafts.py.

    Args:
        changed, before: of both drafts, decoded with the memory.
        confirmed: what the changed draft could follow, the last ones first.
    """
    shares = _shares(changed)
    if _leaves_out(changed, before) or _loses_words(before, _shares(before), shares):
        return False
    doubtful = [place for place in _new_words(changed, before) if _is_doubtful(changed, place)]
    known = list(confirmed) if doubtful else []
    return all(
        _is_remembered(changed.target_words[place].text, _stands_for(changed, shares[place]), known)
        for place in doubtful
    )


def _new_words(changed: Evidence, before: Evidence) -> Iterator[int]:
    """The places of words that another draft does not have, or not as often; in any form."""
    left = Counter(stem(word.text) for word in before.target_words)
    for place, word in enumerate(changed.target_words):
        left[stem(word.text)] -= 1
        if left[stem(word.text)] < 0 and any(map(str.isalpha, word.text)):
            yield place


def _is_doubtful(draft: Evidence, place: int) -> bool:
    """True if a new word must be remembered: a content word, or one that is improbable for the model."""
    word = draft.target_words[place]
    is_unlikely = float(draft.strays[word.first : word.last].sum()) > _UNLIKELY
    return is_unlikely or word.text.lower() not in FUNCTION_WORDS


def _is_remembered(text: str, stands_for: set[str], confirmed: Iterable[Confirmed]) -> bool:
    """True if a word, or a form of it, renders the same in one of the last confirmed targets with it."""
    written = re.compile(rf"\b(?:{re.escape(text.lower())}|{re.escape(stem(text))})")
    having = (decode for target, decode in confirmed if written.search(target.lower()))
    for decode in islice(having, _READ):
        there = decode()
        if text.lower() in FUNCTION_WORDS:  # they attend to anything
            if len(stands_for & _parts(there.source_words)) >= _SAME * len(stands_for):
                return True
            continue
        for word, row in zip(there.target_words, _shares(there), strict=True):
            if written.match(word.text.lower()):
                other = _stands_for(there, row)
                if len(stands_for & other) >= _SAME * len(stands_for | other):
                    return True
    return False


def _stands_for(draft: Evidence, row: np.ndarray) -> set[str]:
    """The source words that a target word attends to."""
    least = _PART * row.max(initial=0)
    return _parts(word for word, share in zip(draft.source_words, row, strict=True) if share >= least)


def _parts(words: Iterable[EvidenceWord]) -> set[str]:
    """The Chinese characters of source words, and the other words whole."""
    texts = (word.text for word in words)
    return {part for text in texts for part in (text if any(map(is_han, text)) else (text.lower(),))}


def _leaves_out(changed: Evidence, before: Evidence) -> bool:
    """True if words of content go where none come, or if a negation comes or goes."""
    old, new = ([word.text.lower() for word in draft.target_words] for draft in (before, changed))
    if sum(word in _NEGATIONS for word in old) != sum(word in _NEGATIONS for word in new):
        return True
    left = {*map(stem, new)}
    for _, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone = [word for word in _content(old[first:last]) if stem(word) not in left]
        if gone and not _content(new[start:end]):
            return True
    return False


def _content(words: Iterable[str]) -> list[str]:
    return [word for word in words if any(map(str.isalnum, word)) and word not in FUNCTION_WORDS]


def _loses_words(draft: Evidence, before: np.ndarray, changed: np.ndarray) -> bool:
    """True if one draft renders source words that the other one does not; by the shares of both."""
    if not len(before) or not len(changed):
        return len(changed) < len(before)
    matter = [
        any(map(str.isalnum, word.text)) and not _PARTICLES.issuperset(word.text)
        for word in draft.source_words
    ]
    said, left = before.max(0)[matter], changed.max(0)[matter]
    lost = (said >= _SAID) & (left < _LEFT * said)
    return bool(lost.any() or (said - left).clip(0).sum() > _ALL_IN_ALL)


def _shares(draft: Evidence) -> np.ndarray:
    """How much of each target word's attention each source word has, [target words, source words]."""
    sums = np.pad(draft.attention.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    target = np.array([(word.first, word.last) for word in draft.target_words], int).reshape(-1, 2)
    source = np.array([(word.first, word.last) for word in draft.source_words], int).reshape(-1, 2)
    rows = sums[target[:, 1]] - sums[target[:, 0]]
    shares: np.ndarray = rows[:, source[:, 1]] - rows[:, source[:, 0]]
    return shares / (target[:, 1] - target[:, 0])[:, None]
