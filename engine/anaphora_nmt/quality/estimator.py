"""The estimator of drafts' quality: features of drafts and of their words, regressions, and their file."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import numpy as np

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.files import write_atomically
from anaphora_nmt.quality.evidence import Evidence, EvidenceWord, TrainingText
from anaphora_nmt.text.word_list import WordList

SEGMENT_FEATURES, WORD_FEATURES = 27, 19
"""Numbers of features of a draft, and of a word."""
_MIN_RECEIVED = 0.15  # a source piece that receives less attention in total counts as ignored
_MIN_ENTROPY = 2.0  # in nats; steps with a higher entropy count as uncertain
_MIN_LOG_PROB = -12.0  # lower log-probabilities are raised to this value
_MAX_LOG_COUNT = 20.0
"""Stands for the lowest log-count in a text without pieces; higher than the log-count of any piece."""


def segment_features(evidence: Evidence, training: TrainingText) -> np.ndarray:
    """The features of a draft, float32 [SEGMENT_FEATURES]."""
    log_probs = np.maximum(evidence.log_probs, _MIN_LOG_PROB)
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
            (evidence.entropy > _MIN_ENTROPY).mean(),
            evidence.entropy[-1],
            np.log((1 + len(evidence.target_pieces)) / (1 + pieces)),
            (received < _MIN_RECEIVED).mean(),
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
            source_counts.min(initial=_MAX_LOG_COUNT),
        ],
        np.float32,
    )


def word_features(evidence: Evidence, training: TrainingText) -> np.ndarray:
    """The features of each word of a draft, float32 [words, WORD_FEATURES]."""
    log_probs = np.maximum(evidence.log_probs, _MIN_LOG_PROB)
    sums, lowest = _word_log_probs(evidence, log_probs)
    source_counts, target_counts = training.log_counts(evidence.source_pieces, evidence.target_pieces)
    around = np.concatenate(([log_probs.max()], sums, [log_probs[-1]]))
    others = [_tokens(other) for other in evidence.others]
    source, gaps = evidence.source.lower(), evidence.best - evidence.log_probs
    on_source = evidence.attention.sum(1)
    attended = np.maximum(evidence.attention, 1e-9)
    seen: set[str] = set()
    rows = []
    for number, word in enumerate(evidence.target_words):
        steps = slice(word.first, word.last)
        # Most words have one piece, which needs no mean.
        is_single = word.last - word.first == 1
        attention = attended[word.first] if is_single else attended[steps].mean(0)
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
                1 - (on_source[word.first] if is_single else on_source[steps].mean()),
                target_counts[steps].min(initial=_MAX_LOG_COUNT),
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
    """Sums and minima of each word's log-probabilities; a draft without words counts as one word."""
    words: Sequence[EvidenceWord] = evidence.target_words or (EvidenceWord("", 0, len(log_probs)),)
    each = [log_probs[word.first : max(word.last, word.first + 1)] for word in words]
    return np.array([part.sum() for part in each]), np.array([part.min() for part in each])


def _tokens(text: str) -> Counter[str]:
    return Counter("".join(char if char.isalnum() else " " for char in text.lower()).split())


def _agreement(text: str, other: str) -> float:
    """The mean of two F1 values of two translations: for words, and for pairs of adjacent words."""
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
    """The share of words that the source contains, among the draft's words with letters or digits."""
    words = [word.text for word in evidence.target_words if any(map(str.isalnum, word.text))]
    return sum(word in evidence.source for word in words) / max(1, len(words))


QUALITY_FILE = "quality.npz"
_FORMAT = 4
_REGRESSIONS = ("segment", "word")
_USABLE = "usable"
_PARTS = ("centre", "scale", "weights", "bias")
CLIP = 4.0
"""Maximum absolute value of standardised inputs."""


@dataclass(frozen=True)
class Regression:
    """A logistic regression over features [F], standardised by their centre and scale."""

    centre: np.ndarray
    scale: np.ndarray
    weights: np.ndarray
    bias: np.ndarray

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """Inputs [N, F] → values between 0 and 1, [N]."""
        standard = np.clip((rows - self.centre) / self.scale, -CLIP, CLIP)
        return 1 / (1 + np.exp(-(standard @ self.weights + self.bias)))


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Minimum estimates for good drafts, words and documents, and for usable drafts.

    Attributes:
        segment, word: minimum expected chrF of a draft, and minimum probability of a word.
        document: mean expected chrF of first drafts below which a document is unlike the training text.
        unusable: minimum usability of a draft, or minimum expected chrF if the estimator has no regression
            for usability; with 0, all drafts are usable.
    """

    segment: float
    word: float
    document: float
    unusable: float = 0.0


@dataclass(frozen=True)
class QualityEstimator:
    """The estimator fitted for a model.

    Attributes:
        segment, word: regressions for a draft's chrF (from 0 to 1), and for the probability that a reference
            has a word.
        usable: regression for a draft's usability, from 0 to 1; None if it was fitted without judgements.
    """

    training: TrainingText
    segment: Regression
    word: Regression
    thresholds: Thresholds
    usable: Regression | None = None

    def judge(self, evidence: Evidence) -> tuple[float, np.ndarray]:
        """A draft's expected chrF, from 0 to 1, and for each word the probability that a reference has it."""
        segment = segment_features(evidence, self.training)
        expected = float(self.segment(segment[None])[0])
        if not evidence.target_words:
            return expected, np.zeros(0, np.float32)
        return expected, self.word(word_inputs(evidence, self.training, segment))

    def is_unusable(self, evidence: Evidence) -> bool:
        """True if writing a new translation is probably quicker than editing the draft."""
        regression = self.usable or self.segment
        numbers = segment_features(evidence, self.training)
        return bool(regression(numbers[None])[0] < self.thresholds.unusable)

    def save(self, folder: Path) -> None:
        """Write `quality.npz` without the list of words, which is a separate file."""
        about = {"format": _FORMAT, "thresholds": asdict(self.thresholds)}
        arrays = {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}
        for name in (*_REGRESSIONS, *((_USABLE,) if self.usable else ())):
            arrays |= {f"{name}.{part}": getattr(getattr(self, name), part) for part in _PARTS}
        training = self.training
        for name in ("source_counts", "target_counts"):
            arrays[f"training.{name}"] = getattr(training, name).astype(np.float16)
        arrays["training.placeholders"] = np.array(sorted(training.placeholders), np.int32)
        stream = BytesIO()
        np.savez_compressed(stream, allow_pickle=False, **arrays)
        write_atomically(folder / QUALITY_FILE, stream.getvalue())

    @classmethod
    def load(cls, path: Path, words: WordList) -> QualityEstimator:
        """Read a `quality.npz`. ModelFileError if it is missing, damaged or of another format."""
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                about = json.loads(file["about"].tobytes())
                if about["format"] != _FORMAT:
                    raise ValueError(f"its format is {about['format']}, this version reads {_FORMAT}")
                optional = (_USABLE,) if f"{_USABLE}.{_PARTS[0]}" in file else ()
                fitted = {
                    name: Regression(*(file[f"{name}.{part}"] for part in _PARTS))
                    for name in (*_REGRESSIONS, *optional)
                }
                training = TrainingText(
                    file["training.source_counts"].astype(np.float32),
                    file["training.target_counts"].astype(np.float32),
                    words,
                    frozenset(file["training.placeholders"].tolist()),
                )
                return cls(training, **fitted, thresholds=Thresholds(**about["thresholds"]))
        except (
            OSError,
            LookupError,
            TypeError,
            ValueError,
            EOFError,
            zipfile.BadZipFile,
            zlib.error,
        ) as error:
            raise ModelFileError(
                "{path} cannot be read ({reason}). Install the model again.", path=path, reason=error
            ) from error


def word_inputs(evidence: Evidence, training: TrainingText, segment: np.ndarray) -> np.ndarray:
    """For each word, its `word_features` followed by the draft's features `segment`, [words, F]."""
    words = word_features(evidence, training)
    return np.hstack([words, np.tile(segment, (len(words), 1))])


RIDGE = 0.02  # factor of the penalty on squared weights
FOLDS = 5
_STEPS = 25  # maximum number of iterations


def fit_regression(rows: np.ndarray, values: np.ndarray, ridge: float = RIDGE) -> Regression:
    """Logistic ridge regression by iteratively reweighted least squares.

    Args:
        rows: inputs, [N, F].
        values: between 0 and 1, [N]; fitted as shares (Papke and Wooldridge, 1996).
    """
    centre, scale = rows.mean(0), rows.std(0) + 1e-3
    inputs = np.clip((rows - centre) / scale, -CLIP, CLIP).astype(np.float64)
    inputs = np.hstack([inputs, np.ones((len(rows), 1))])
    penalty = ridge * np.eye(inputs.shape[1])
    penalty[-1, -1] = 0.0
    weights = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        estimates = 1 / (1 + np.exp(-(inputs @ weights)))
        slope = np.maximum(estimates * (1 - estimates), 1e-4)
        gradient = inputs.T @ (values - estimates) / len(rows) - penalty @ weights
        step = np.linalg.solve((inputs.T * slope) @ inputs / len(rows) + penalty, gradient)
        weights = weights + step
        if np.abs(step).max() < 1e-6:
            break
    return Regression(*(each.astype(np.float32) for each in (centre, scale, weights[:-1], weights[-1:])))


def folds(documents: Sequence[str]) -> np.ndarray:
    """The number of each row's fold for cross-validation, [N]; all rows of a document have the same one."""
    names = sorted(set(documents))
    numbers = np.random.default_rng(1).permutation(len(names)) % FOLDS
    fold = dict(zip(names, numbers.tolist(), strict=True))
    return np.array([fold[document] for document in documents])


def out_of_fold(rows: np.ndarray, values: np.ndarray, fold: np.ndarray, ridge: float = RIDGE) -> np.ndarray:
    """An estimate for each row by a regression fitted on the other folds, [N]."""
    estimates = np.zeros(len(rows))
    for number in np.unique(fold):
        test = fold == number
        estimates[test] = fit_regression(rows[~test], values[~test], ridge)(rows[test])
    return estimates
