"""Fitting of the quality estimator on drafts, and its agreement with references and readers' judgements."""

from __future__ import annotations

import csv
import random
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

from anaphora_nmt.data.corpus import ParallelDocument
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.evaluation.significance import chrf_metric
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import Bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.pipeline.judging.quality import DraftPair, judge
from anaphora_nmt.pipeline.preparing.lines import PreparedLine, prepare_source, prepare_target
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_nmt.quality.estimator import (
    QualityEstimator,
    Thresholds,
    fit_regression,
    folds,
    out_of_fold,
    segment_features,
    word_inputs,
)
from anaphora_nmt.quality.evidence import Evidence, TrainingText
from anaphora_nmt.text.proper_names import DocumentNames
from anaphora_nmt.text.word_list import NO_WORDS
from anaphora_nmt.types import SearchOptions

_BATCH = 16
_MAX_PIECES = 200  # of a source
_MIN_SEGMENTS = 8  # of each document, if it has as many
_GENRES = {"law-tw": "laws", "bible": "Bible", "cataclysm": "game", "wesnoth": "game", "tvsub": "subtitles"}
_GENRES |= {name: name for name in ("articles", "contract", "dialogue", "letter", "news", "story")}
"""Genres by `ParallelDocument.source_name`; all other documents are documentation."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A draft with its reference and the evidence for its quality."""

    genre: str
    document: str
    draft: str
    reference: str
    evidence: Evidence


def draw(
    documents: Iterable[ParallelDocument], segments: int, seed: int = 1
) -> dict[str, list[ParallelDocument]]:
    """Shortened documents by genre, with about `segments` segments of each genre from many documents."""
    by_genre: dict[str, list[ParallelDocument]] = defaultdict(list)
    for document in documents:
        by_genre[_genre(document)].append(document)
    drawn: dict[str, list[ParallelDocument]] = {}
    for genre, members in sorted(by_genre.items()):
        random.Random(seed).shuffle(members)
        size, chosen, count = max(_MIN_SEGMENTS, -(-segments // len(members))), [], 0
        for document in members:
            if count >= segments:
                break
            pairs = document.pairs[:size]
            chosen.append(ParallelDocument(document.id, genre, document.licence, pairs))
            count += len(pairs)
        drawn[genre] = chosen
    return drawn


def _genre(document: ParallelDocument) -> str:
    return _GENRES.get(document.source_name, "documentation")


def rate_drafts(bundle: Bundle, documents: dict[str, list[ParallelDocument]]) -> list[Sample]:
    """Draft the documents without memory, and collect the evidence for the drafts' quality."""
    options = SearchOptions(memories=None)
    model = MemoryAugmentedModel(bundle.model, bundle.memory, WordVocabulary(bundle.target)).eval()
    drafter = Drafter(model, bundle.source, bundle.target, model.native())
    lines: list[tuple[str, str, PreparedLine, str]] = []
    for genre, members in documents.items():
        for document in members:
            names = DocumentNames(bundle.names, [source for source, _ in document.pairs])
            for source, reference in document.pairs:
                line = prepare_source(source, bundle.source, names.find)
                if line.words and len(line.ids) <= _MAX_PIECES:
                    lines.append((genre, document.id, line, reference))
    lines.sort(key=lambda each: len(each[2].ids))
    rated: list[Sample] = []
    for start in tqdm(range(0, len(lines), _BATCH), unit="batch", desc="drafts"):
        batch = lines[start : start + _BATCH]
        nothing = [MemorySnapshot()] * len(batch)
        drafts = drafter.draft([line for _, _, line, _ in batch], nothing, options)
        finished = [
            DraftPair(line, prepare_target(draft.text, line.line.strings, bundle.target), others=draft.others)
            for (_, _, line, _), draft in zip(batch, drafts, strict=True)
        ]
        evidence = judge(drafter, finished, frozenset())
        for (genre, name, _, reference), draft, (_, each) in zip(batch, drafts, evidence, strict=True):
            rated.append(Sample(genre, name, draft.text, reference, each))
    return rated


def count_training_text(bundle: Bundle, pairs: Sequence[tuple[str, str]], sample: int) -> TrainingText:
    """Frequencies of pieces in a sample of the training pairs, and the model's list of words."""
    counts = np.zeros(len(bundle.source)), np.zeros(len(bundle.target))
    for chinese, english in random.Random(1).sample(pairs, min(sample, len(pairs))):
        line = prepare_source(chinese, bundle.source)
        np.add.at(counts[0], list(line.ids), 1)
        np.add.at(counts[1], list(prepare_target(english, line.line.strings, bundle.target).ids), 1)
    placeholders = frozenset(piece for pieces in bundle.source.placeholder_ids for piece in pieces)
    source, target = (np.log1p(count).astype(np.float32) for count in counts)
    return TrainingText(source, target, bundle.words or NO_WORDS, placeholders)


def ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 1; equal values get their mean rank."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[places]


def spearman(first: np.ndarray, second: np.ndarray) -> float:
    """Spearman's rank correlation; 0 if either side is constant."""
    if len(np.unique(first)) < 2 or len(np.unique(second)) < 2:
        return 0.0
    return float(np.corrcoef(ranks(first), ranks(second))[0, 1])


def area_under_curve(wrong: np.ndarray, right: np.ndarray) -> float:
    """Probability that a wrong item has a lower value than a correct item; ties count half."""
    count = int(wrong.sum())
    below = ranks(right)[wrong].sum() - count * (count + 1) / 2
    return float(1 - below / max(1, count * (len(wrong) - count)))


VALUES = {"usable": 1.0, "repairable": 0.5, "useless": 0.0}
"""Value of each judgement: "usable" nearly unchanged, "repairable" with the source's help, or "useless"."""
STANDARD = Thresholds(segment=0.35, word=0.2, document=0.4, unusable=0.35)
_WORD = re.compile(r"\w+")
_RIDGE = 0.3
"""Ridge for usability, larger than for chrF, because fewer drafts are judged; the best of four values."""
_MIN_JUDGED, _MIN_USABLE = 100, 25
"""Minimum numbers of judged drafts, and of usable drafts among them, for a fit."""
_MAX_REJECTED = 0.04  # share of the usable drafts


def fit(rows: list[Sample], training: TrainingText, thresholds: Thresholds) -> tuple[QualityEstimator, str]:
    """Fit an estimator on all drafts; the report shows a cross-validation by document.

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
    scores, kept = _scores(rows), np.concatenate(_in_reference(rows)).astype(float)
    fold = folds([row.document for row in rows])
    expected, rights = out_of_fold(segments, scores, fold), out_of_fold(every, kept, fold[owners])
    bounds = np.cumsum([len(each) for each in words])[:-1]
    report = "Out of fold, by document:\n" + measures(rows, expected, np.split(rights, bounds))
    fitted = fit_regression(segments, scores), fit_regression(every, kept)
    return QualityEstimator(training, *fitted, thresholds), report


def estimate_all(estimator: QualityEstimator, rows: list[Sample]) -> tuple[np.ndarray, list[np.ndarray]]:
    estimates = [estimator.judge(row.evidence) for row in rows]
    return np.array([expected for expected, _ in estimates]), [words for _, words in estimates]


def measures(rows: list[Sample], expected: np.ndarray, rights: list[np.ndarray]) -> str:
    """A table by genre: correlation with chrF2, and area under the curve for words with a letter.

    Args:
        expected: estimated chrF2 of the drafts.
        rights: estimated probabilities of the words of each draft.
    """
    scores, kept = _scores(rows), _in_reference(rows)
    genres = np.array([row.genre for row in rows])
    lettered = [
        np.array([any(map(str.isalpha, word.text)) for word in row.evidence.target_words], bool)
        for row in rows
    ]
    lines = ["genre           segments  chrF  expected  Spearman  AUC of words"]
    for genre in (*sorted(set(genres)), "all"):
        mask = (genres == genre) | (genre == "all")
        right, estimated = (
            np.concatenate([values[row][lettered[row]] for row in np.flatnonzero(mask)])
            for values in (kept, rights)
        )
        lines.append(
            f"{genre:<16}{mask.sum():>8}{100 * scores[mask].mean():6.1f}{100 * expected[mask].mean():10.1f}"
            f"{spearman(expected[mask], scores[mask]):10.3f}{area_under_curve(~right, estimated):14.3f}"
        )
    return "\n".join(lines)


def _scores(rows: list[Sample]) -> np.ndarray:
    """chrF2 of each draft, between 0 and 1."""
    metric = chrf_metric()
    return np.array([metric.sentence_score(row.draft, [row.reference]).score / 100 for row in rows])


def _in_reference(rows: list[Sample]) -> list[np.ndarray]:
    """For each draft, whether the reference has each word; True for words without letters and digits."""
    kept = []
    for row in rows:
        known = set(_WORD.findall(row.reference.lower()))
        words = (_WORD.findall(word.text.lower()) for word in row.evidence.target_words)
        kept.append(np.array([all(part in known for part in parts) for parts in words], bool))
    return kept


def key_of(row: Sample) -> str:
    """A key of a judged draft that reveals neither text."""
    both = "\t".join((row.evidence.source, row.draft))
    return f"{zlib.crc32(both.encode()):08x}"


def read_judgements(path: Path) -> dict[str, str]:
    """Read judgements by draft key from a TSV file with the columns `draft` (keys) and `judged`.

    Raises:
        CorpusError: the file cannot be read or contains an unknown judgement.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            by_draft = {line["draft"]: line["judged"] for line in csv.DictReader(file, delimiter="\t")}
    except (OSError, KeyError, UnicodeDecodeError, csv.Error) as error:
        raise CorpusError(f"{path} cannot be read as a table of judgements ({error})") from error
    if unknown := {*by_draft.values()} - VALUES.keys():
        raise CorpusError(f"{path}: unknown judgement {min(map(str, unknown))}; known: {', '.join(VALUES)}")
    return by_draft


def fit_usability(
    estimator: QualityEstimator, rows: Sequence[Sample], judgements: Mapping[str, str]
) -> tuple[QualityEstimator, str]:
    """Fit the estimator's usability and its limit; with too few judgements, the estimator does not change.

    The limit is the highest multiple of 0.01 that rejects at most 4 % of the usable drafts out of fold.
    """
    known = [(row, name) for row in rows if (name := judgements.get(key_of(row)))]
    names = np.array([name for _, name in known])
    usable = names == "usable"
    if len(names) < _MIN_JUDGED or usable.sum() < _MIN_USABLE:
        return estimator, f"{len(names)} drafts were judged: too few to fit their usability"
    inputs = np.stack([segment_features(row.evidence, estimator.training) for row, _ in known])
    values = np.array([VALUES[name] for name in names])
    expected = out_of_fold(inputs, values, folds([row.document for row, _ in known]), _RIDGE)
    bounds = (number / 100 for number in range(100))
    bound = max(each for each in bounds if (expected[usable] < each).mean() <= _MAX_REJECTED)
    below, every = Counter(names[expected < bound].tolist()), Counter(names.tolist())
    report = ", ".join(f"{below[name]} of {every[name]} {name}" for name in VALUES)
    thresholds = replace(estimator.thresholds, unusable=bound)
    fitted = replace(estimator, usable=fit_regression(inputs, values, _RIDGE), thresholds=thresholds)
    return fitted, f"Usability, fitted without the document, below {bound:.2f}: {report}"
