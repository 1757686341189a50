"""A test that distinguishes harmful changes of a draft from changes that confirmed text explains.

The model follows a remembered word if the decoder's step is similar to the step that wrote the word. If the
similarity is accidental, the word translates nothing in this source, or replaces content of the former draft.
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
"""A confirmed target, and a function that decodes the target."""

_MAX_FUNCTION_LOSS = 1.0
"""Maximum loss in nats of a function word that the model might choose without memory. The loss is the sum of
the differences between the log-probabilities of the most probable pieces and of the word's pieces."""
_MIN_ATTENDED = 0.5
"""A source word is attended if it gets at least this share of the most attended source word's attention."""
_MIN_OVERLAP = 0.8
_MIN_TRANSLATED, _MIN_REMAINING = 0.4, 0.35
"""A source word is translated if some target word's attention on it is at least the first value. It is lost
if the changed draft keeps less than the second value, as a share of that attention."""
_MAX_TOTAL_LOSS = 1.0
"""Words also count as lost if the sum of all decreases of attention is above this value."""
_PARTICLES = frozenset("的地得了着过之是在和与及或把被将从对由于为以而但也都就等其这那不后中上下者所")
_NEGATIONS = frozenset(("not", "no", "never", "cannot", "without", "nor", "neither"))
_MAX_DECODED = 4
"""Maximum number of confirmed targets to decode for a word, starting with the last one."""


def is_explained(changed: Evidence, former: Evidence, confirmed: Iterable[ConfirmedTarget]) -> bool:
    """True if a changed draft keeps the former draft's content, and its new words come from fitting contexts.

    A new content word fits if it translates the same source words in a confirmed target. A function word fits
    if the model might choose it without memory, or if its source words are in a confirmed source. The
    constants were chosen on 600 changed drafts of development sets (measure_changed_drafts.py at c814ada7).

    Args:
        changed, former: evidence of both drafts, decoded with the memory.
        confirmed: the confirmed targets, latest first.
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
    left = Counter(stem(word.text) for word in former.target_words)
    for place, word in enumerate(changed.target_words):
        left[stem(word.text)] -= 1
        if left[stem(word.text)] < 0 and any(map(str.isalpha, word.text)):
            yield place


def _is_doubtful(draft: Evidence, place: int) -> bool:
    word = draft.target_words[place]
    is_unlikely = float(draft.strays[word.first : word.last].sum()) > _MAX_FUNCTION_LOSS
    return is_unlikely or word.text.lower() not in FUNCTION_WORDS


def _is_remembered(text: str, attended: set[str], confirmed: Iterable[ConfirmedTarget]) -> bool:
    pattern = re.compile(rf"\b(?:{re.escape(text.lower())}|{re.escape(stem(text))})")
    matching = (decode for target, decode in confirmed if pattern.search(target.lower()))
    for decode in islice(matching, _MAX_DECODED):
        decoded = decode()
        if text.lower() in FUNCTION_WORDS:  # the attention of function words is arbitrary
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
    minimum = _MIN_ATTENDED * row.max(initial=0)
    return _parts(word for word, share in zip(draft.source_words, row, strict=True) if share >= minimum)


def _parts(words: Iterable[EvidenceWord]) -> set[str]:
    texts = (word.text for word in words)
    return {part for text in texts for part in (text if any(map(is_han, text)) else (text.lower(),))}


def _drops_content(changed: Evidence, former: Evidence) -> bool:
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


def _loses_words(former: Evidence, old_shares: np.ndarray, new_shares: np.ndarray) -> bool:
    if not len(old_shares) or not len(new_shares):
        return len(new_shares) < len(old_shares)
    matter = [
        any(map(str.isalnum, word.text)) and not _PARTICLES.issuperset(word.text)
        for word in former.source_words
    ]
    old, new = old_shares.max(0)[matter], new_shares.max(0)[matter]
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
