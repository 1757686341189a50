"""An estimate fitted on judged drafts, and how well it agrees with their references."""

from __future__ import annotations

import re

import numpy as np

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.evaluation.bleu import chrf_metric
from anaphora_nmt.evaluation.estimates import area_under_curve, calibration, spearman
from anaphora_nmt.pipeline.judged_corpus import Judged
from anaphora_nmt.quality.estimator import QualityEstimator, Thresholds, word_inputs
from anaphora_nmt.quality.features import segment_features
from anaphora_nmt.quality.fitting import fit_regression, folds, out_of_fold
from anaphora_nmt.quality.training_text import TrainingText

_BOUNDS = (0.25, 0.3, 0.35, 0.4, 0.45)
_WORD = re.compile(r"\w+")


def fit(rows: list[Judged], training: TrainingText, thresholds: Thresholds) -> tuple[QualityEstimator, str]:
    """Fit on all drafts; the report is of documents, and of genres, that were not fitted on.

    Raises:
        CorpusError: the drafts have no words.
    """
    segments = np.stack([segment_features(row.evidence, training) for row in rows])
    words = [
        word_inputs(row.evidence, training, segment) for row, segment in zip(rows, segments, strict=True)
    ]
    every, owners = np.concatenate(words), np.repeat(np.arange(len(rows)), [len(each) for each in words])
    if not len(every):
        raise CorpusError("the model's drafts have no words to fit on; train it further")
    scores, kept = scores_of(rows), np.concatenate(_kept(rows)).astype(float)
    fold = folds([row.document for row in rows])
    said, said_words = out_of_fold(segments, scores, fold), out_of_fold(every, kept, fold[owners])
    bounds = np.cumsum([len(each) for each in words])[:-1]
    report = "Out of fold, by document:\n" + measures(rows, said, np.split(said_words, bounds))
    genres = np.unique([row.genre for row in rows], return_inverse=True)[1]
    if genres.max() > 0:
        apart = out_of_fold(segments, scores, genres)
        apart_words = np.split(out_of_fold(every, kept, genres[owners]), bounds)
        area = _Words(rows, _kept(rows)).area(apart_words, np.ones(len(rows), bool))
        report += f"\nOut of fold, by genre: Spearman with chrF {spearman(apart, scores):.3f}, "
        report += f"AUC of words {area:.3f}"
    fitted = fit_regression(segments, scores), fit_regression(every, kept)
    return QualityEstimator(training, *fitted, thresholds), report


def said_by(estimator: QualityEstimator, rows: list[Judged]) -> tuple[np.ndarray, list[np.ndarray]]:
    """What an estimator says of drafts [N], and of their words."""
    judged = [estimator.judge(row.evidence) for row in rows]
    return np.array([expected for expected, _ in judged]), [words for _, words in judged]


def measures(rows: list[Judged], said: np.ndarray, said_words: list[np.ndarray]) -> str:
    """Correlation with chrF2 and area under the curve of words, by genre; calibration; documents."""
    scores, kept = scores_of(rows), _kept(rows)
    genres = np.array([row.genre for row in rows])
    plain = np.array([row.evidence.log_probs.mean() for row in rows])
    words = _Words(rows, kept)
    lines = ["genre           segments  chrF  expected  Spearman  (mean log p)  AUC of words  (log p)"]
    for genre in (*sorted(set(genres)), "all"):
        some = (genres == genre) | (genre == "all")
        lines.append(
            f"{genre:<16}{some.sum():>8}{100 * scores[some].mean():6.1f}{100 * said[some].mean():10.1f}"
            f"{spearman(said[some], scores[some]):10.3f}{spearman(plain[some], scores[some]):14.3f}"
            f"{words.area(said_words, some):14.3f}{words.area(words.log_probs, some):9.3f}"
        )
    lines += ["expected chrF and chrF, by tenths of the segments:", _table(said, scores, 100)]
    lines.append("probability that a reference has a word and share that it has, by tenths of the words:")
    everywhere = np.ones(len(rows), bool)
    lines.append(_table(words.chosen(said_words, everywhere), words.chosen(kept, everywhere), 100))
    lines.append("drafts below an expected chrF, their chrF and that of the rest:")
    for bound in _BOUNDS:
        low = said < bound
        if 0 < low.sum() < len(low):
            inside, outside = 100 * scores[low].mean(), 100 * scores[~low].mean()
            lines.append(f"  {bound:.2f}: {100 * low.mean():.1f} %, {inside:.1f}, {outside:.1f}")
    return "\n".join((*lines, *_documents(rows, said, scores)))


class _Words:
    """Words with a letter of judged drafts.

    Attributes:
        log_probs: of all words, draft by draft.
    """

    def __init__(self, rows: list[Judged], kept: list[np.ndarray]) -> None:
        self._kept = kept
        self._lettered = [
            np.array([any(map(str.isalpha, word.text)) for word in row.evidence.target_words], bool)
            for row in rows
        ]
        self.log_probs = [
            np.array([row.evidence.log_probs[word.first : word.last].sum() for word in words])
            for row in rows
            if (words := row.evidence.target_words) is not None
        ]

    def chosen(self, values: list[np.ndarray], rows: np.ndarray) -> np.ndarray:
        """The values of the words with a letter in some drafts."""
        return np.concatenate([values[row][self._lettered[row]] for row in np.flatnonzero(rows)])

    def area(self, values: list[np.ndarray], rows: np.ndarray) -> float:
        """How well low values find the words that a reference lacks."""
        return area_under_curve(~self.chosen(self._kept, rows), self.chosen(values, rows))


def scores_of(rows: list[Judged]) -> np.ndarray:
    """chrF2 of each draft, between 0 and 1."""
    metric = chrf_metric()
    return np.array([metric.sentence_score(row.draft, [row.reference]).score / 100 for row in rows])


def _kept(rows: list[Judged]) -> list[np.ndarray]:
    """Whether the reference has each word of each draft; true for words without letters and digits."""
    found = []
    for row in rows:
        there = set(_WORD.findall(row.reference.lower()))
        words = (_WORD.findall(word.text.lower()) for word in row.evidence.target_words)
        found.append(np.array([all(part in there for part in parts) for parts in words], bool))
    return found


def _table(said: np.ndarray, true: np.ndarray, factor: int) -> str:
    tenths = calibration(said, true.astype(float))
    return "  ".join(f"{factor * first:.0f}/{factor * second:.0f}" for first, second, _ in tenths)


def _documents(rows: list[Judged], said: np.ndarray, scores: np.ndarray) -> list[str]:
    names = np.array([f"{row.genre}: {row.document}" for row in rows])
    means = [(said[names == name].mean(), scores[names == name].mean(), name) for name in sorted(set(names))]
    agreement = spearman(*(np.array([each[part] for each in means]) for part in (0, 1)))
    lines = [f"{len(means)} documents, Spearman of their means {agreement:.3f}; expected chrF and chrF:"]
    return lines + [f"  {100 * said:.0f} {100 * score:.0f}  {name}" for said, score, name in sorted(means)]
