"""The estimate of a draft's quality: regressions over `features`, and their file in the model's folder."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path

import numpy as np

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.files import write_atomically
from anaphora_nmt.quality.evidence import Evidence, TrainingText
from anaphora_nmt.quality.features import segment_features, word_features
from anaphora_nmt.text.word_list import WordList

QUALITY_FILE = "quality.npz"
_FORMAT = 4
_REGRESSIONS = ("segment", "word")
_USABLE = "usable"
_PARTS = ("centre", "scale", "weights", "bias")
CLIP = 4.0
"""Deviations beyond which an input counts as this far off."""


@dataclass(frozen=True)
class Regression:
    """A logistic regression over numbers [F], standardised by their centre and scale."""

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
    """Where doubt begins.

    Attributes:
        segment, word: drafts with a lower expected chrF, and words that are less probably right, are
            doubtful.
        document: where the first drafts' mean expected chrF is lower, the model does not know such text.
        unusable: drafts with a lower usability (or expected chrF) are worse than none; 0: none is.
    """

    segment: float
    word: float
    document: float
    unusable: float = 0.0


@dataclass(frozen=True)
class QualityEstimator:
    """What was fitted for a model.

    Attributes:
        segment, word: a draft's chrF (between 0 and 1), and the probability that a reference has a word.
        usable: how far a reader can use a draft: 0 for useless, 1 for as it is; None: nobody has judged any.
    """

    training: TrainingText
    segment: Regression
    word: Regression
    thresholds: Thresholds
    usable: Regression | None = None

    def judge(self, evidence: Evidence) -> tuple[float, np.ndarray]:
        """A draft's expected chrF, between 0 and 1, and the probability of each of its words that a reference
        has it, [words]."""
        segment = segment_features(evidence, self.training)
        expected = float(self.segment(segment[None])[0])
        if not evidence.target_words:
            return expected, np.zeros(0, np.float32)
        return expected, self.word(word_inputs(evidence, self.training, segment))

    def is_unusable(self, evidence: Evidence) -> bool:
        """Whether writing anew is likely to be quicker than mending a draft."""
        regression = self.usable or self.segment
        numbers = segment_features(evidence, self.training)
        return bool(regression(numbers[None])[0] < self.thresholds.unusable)

    def save(self, folder: Path) -> None:
        """Write `quality.npz`; the words stand in a file of their own."""
        about = {"format": _FORMAT, "thresholds": asdict(self.thresholds)}
        arrays = {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}
        for name in (*_REGRESSIONS, *((_USABLE,) if self.usable else ())):
            arrays |= {f"{name}.{part}": getattr(getattr(self, name), part) for part in _PARTS}
        held = self.training
        for name in ("source_counts", "target_counts"):
            arrays[f"training.{name}"] = getattr(held, name).astype(np.float16)
        arrays["training.placeholders"] = np.array(sorted(held.placeholders), np.int32)
        stream = BytesIO()
        np.savez_compressed(stream, allow_pickle=False, **arrays)
        write_atomically(folder / QUALITY_FILE, stream.getvalue())

    @classmethod
    def load(cls, path: Path, words: WordList) -> QualityEstimator:
        """Read a `quality.npz`; ModelFileError: missing, damaged, or of a newer version."""
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                about = json.loads(file["about"].tobytes())
                if about["format"] != _FORMAT:
                    raise ValueError(f"its format is {about['format']}, this version reads {_FORMAT}")
                there = (_USABLE,) if f"{_USABLE}.{_PARTS[0]}" in file else ()
                fitted = {
                    name: Regression(*(file[f"{name}.{part}"] for part in _PARTS))
                    for name in (*_REGRESSIONS, *there)
                }
                held = TrainingText(
                    file["training.source_counts"].astype(np.float32),
                    file["training.target_counts"].astype(np.float32),
                    words,
                    frozenset(file["training.placeholders"].tolist()),
                )
                return cls(held, **fitted, thresholds=Thresholds(**about["thresholds"]))
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
    """`word_features`, each with the draft's `segment_features` behind it, [words, F]."""
    words = word_features(evidence, training)
    return np.hstack([words, np.tile(segment, (len(words), 1))])


RIDGE = 0.02
FOLDS = 5
_STEPS = 25


def fit_regression(rows: np.ndarray, wanted: np.ndarray, ridge: float = RIDGE) -> Regression:
    """Logistic regression with a ridge on rows [N, F], by iteratively reweighted least squares.

    Values [N] between 0 and 1 are fitted as shares (Papke and Wooldridge, 1996).
    """
    centre, scale = rows.mean(0), rows.std(0) + 1e-3
    inputs = np.clip((rows - centre) / scale, -CLIP, CLIP).astype(np.float64)
    inputs = np.hstack([inputs, np.ones((len(rows), 1))])
    penalty = ridge * np.eye(inputs.shape[1])
    penalty[-1, -1] = 0.0
    weights = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        said = 1 / (1 + np.exp(-(inputs @ weights)))
        slope = np.maximum(said * (1 - said), 1e-4)
        gradient = inputs.T @ (wanted - said) / len(rows) - penalty @ weights
        step = np.linalg.solve((inputs.T * slope) @ inputs / len(rows) + penalty, gradient)
        weights = weights + step
        if np.abs(step).max() < 1e-6:
            break
    return Regression(*(each.astype(np.float32) for each in (centre, scale, weights[:-1], weights[-1:])))


def folds(documents: Sequence[str]) -> np.ndarray:
    """A fold for each row, [N], the same for all rows of a document."""
    names = sorted(set(documents))
    numbers = np.random.default_rng(1).permutation(len(names)) % FOLDS
    fold = dict(zip(names, numbers.tolist(), strict=True))
    return np.array([fold[document] for document in documents])


def out_of_fold(rows: np.ndarray, wanted: np.ndarray, fold: np.ndarray, ridge: float = RIDGE) -> np.ndarray:
    """What regressions say of rows that they were not fitted on, [N]."""
    said = np.zeros(len(rows))
    for number in np.unique(fold):
        held = fold == number
        said[held] = fit_regression(rows[~held], wanted[~held], ridge)(rows[held])
    return said
