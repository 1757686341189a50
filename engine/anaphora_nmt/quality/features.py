"""What an estimate of quality is made from: a row of numbers for a draft, and one for each of its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from anaphora_nmt.quality.evidence import Evidence, EvidenceWord, TrainingText

SEGMENT_FEATURES, WORD_FEATURES = 27, 19
"""How many numbers there are; new ones stand last, so that an estimate reads those that it knows."""
_HARDLY = 0.15
_UNCERTAIN = 2.0
_FLOOR = -12.0
_COMMONEST = 20.0
"""The log-count of the rarest piece where there is none."""


def segment_features(evidence: Evidence, training: TrainingText) -> np.ndarray:
    """The numbers of a draft."""
    log_probs = np.maximum(evidence.log_probs, _FLOOR)
    sums, lowest = _word_log_probs(evidence, log_probs)
    attention = np.maximum(evidence.attention, 1e-9)
    received = attention.sum(0) if len(evidence.source_pieces) else np.ones(1)
    agreement = [_agreement(evidence.target, other) for other in evidence.others] or [1.0]
    source_counts, target_counts = training.log_counts(evidence.source_pieces, evidence.target_pieces)
    texts = [word.text.lower() for word in evidence.target_words]
    pieces = max(1, len(evidence.source_pieces))
    return np.array(
        [
            log_probs.mean(),
            lowest.mean(),
            np.sort(sums)[: max(1, len(sums) // 4)].mean(),
            sums.min(),
            (evidence.best - evidence.log_probs > 0.01).mean(),
            evidence.entropy.mean(),
            (evidence.entropy > _UNCERTAIN).mean(),
            evidence.entropy[-1],
            np.log((1 + len(evidence.target_pieces)) / (1 + pieces)),
            (received < _HARDLY).mean(),
            np.log(np.minimum(received, 1.0)).mean(),
            np.log1p(received.max()),
            1 - evidence.attention.sum(1).mean(),
            -(attention * np.log(attention)).sum(1).mean(),
            np.mean(agreement),
            min(agreement),
            target_counts.mean(),
            1 - len(set(texts)) / max(1, len(texts)),
            _copied(evidence),
            np.mean([not training.knows(text) for text in texts]) if texts else 0.0,
            np.log(pieces),
            source_counts.mean(),
            training.placeholder_share(evidence.source_pieces),
            np.mean([*map(len, texts)]) if texts else 0.0,
            np.log((1 + len(evidence.target)) / (1 + len(evidence.source))),
            np.log((1 + len(texts)) / (1 + len(evidence.source_words))),
            source_counts.min(initial=_COMMONEST),
        ],
        np.float32,
    )


def word_features(evidence: Evidence, training: TrainingText) -> np.ndarray:
    """The numbers of each word of a draft, [words, F]."""
    log_probs = np.maximum(evidence.log_probs, _FLOOR)
    sums, lowest = _word_log_probs(evidence, log_probs)
    source_counts, target_counts = training.log_counts(evidence.source_pieces, evidence.target_pieces)
    around = np.concatenate(([log_probs.max()], sums, [log_probs[-1]]))
    others = [_tokens(other) for other in evidence.others]
    source, gaps = evidence.source.lower(), evidence.best - evidence.log_probs
    unmarked = evidence.attention.sum(1)
    looked = np.maximum(evidence.attention, 1e-9)
    seen: set[str] = set()
    rows = []
    for number, word in enumerate(evidence.target_words):
        steps = slice(word.first, word.last)
        # Most words are one piece, which is its own mean.
        one = word.last - word.first == 1
        attention = looked[word.first] if one else looked[steps].mean(0)
        text = word.text.lower()
        rows.append(
            [
                sums[number],
                lowest[number],
                gaps[steps].max(),
                evidence.entropy[word.first],
                evidence.entropy[steps].max(),
                around[number],
                around[number + 2],
                attention.max(initial=0.0),
                -(attention * np.log(attention)).sum(),
                1 - (unmarked[word.first] if one else unmarked[steps].mean()),
                target_counts[steps].min(initial=_COMMONEST),
                word.last - word.first,
                source_counts[attention.argmax()] if len(attention) else 0.0,
                np.mean([text in other for other in others]) if others else 1.0,
                text in seen and len(text) > 3,
                text in source,
                number > 0 and word.text[:1].isupper(),
                len(text) <= 3,
                not training.knows(text),
            ]
        )
        seen.add(text)
    return np.array(rows, np.float32).reshape(-1, WORD_FEATURES)


def _word_log_probs(evidence: Evidence, log_probs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each word's sum over its pieces, and the least of them; for a draft without words, those of its end."""
    words: Sequence[EvidenceWord] = evidence.target_words or (EvidenceWord("", 0, len(log_probs)),)
    each = [log_probs[word.first : max(word.last, word.first + 1)] for word in words]
    return np.array([part.sum() for part in each]), np.array([part.min() for part in each])


def _tokens(text: str) -> Counter[str]:
    return Counter("".join(char if char.isalnum() else " " for char in text.lower()).split())


def _agreement(text: str, other: str) -> float:
    """F1 of words and pairs of words of two translations."""
    scores = []
    for size in (1, 2):
        first, second = (_grams(each, size) for each in (text, other))
        shared = (first & second).total()
        scores.append(2 * shared / max(1, first.total() + second.total()) if first or second else 1.0)
    return sum(scores) / 2


def _grams(text: str, size: int) -> Counter[object]:
    words = text.lower().split()
    return Counter(words if size == 1 else pairwise(words))


def _copied(evidence: Evidence) -> float:
    words = [word.text for word in evidence.target_words if any(map(str.isalnum, word.text))]
    return sum(word in evidence.source for word in words) / max(1, len(words))
