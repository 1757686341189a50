"""Usability fitted on judged drafts: the limit, unaffected values, and the included model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.pipeline.fitting.quality_fit import Sample, fit_usability, key_of, read_judgements
from anaphora_nmt.quality.estimator import (
    QUALITY_FILE,
    SEGMENT_FEATURES,
    QualityEstimator,
    Thresholds,
    fit_regression,
)
from anaphora_nmt.quality.evidence import Evidence, EvidenceWord, TrainingText
from anaphora_nmt.text.word_list import WordList

WORDS = WordList.of(["word"])


def row_of(number: int, probability: float) -> Sample:
    """A draft of one word with a probability."""
    logs = np.log(np.array([probability, 0.9], np.float32))
    evidence = Evidence(
        f"词{number}",
        "word",
        (EvidenceWord("词", 0, 1),),
        (EvidenceWord("word", 0, 1),),
        np.array([1]),
        np.array([1]),
        logs,
        np.log(np.array([0.95, 0.95], np.float32)),
        np.array([0.3, 0.1], np.float32),
        np.array([[0.9], [0.5]], np.float32),
    )
    return Sample("one" if number % 2 else "other", f"d{number % 10}", "word", "word", evidence)


def estimator_of_chrf() -> QualityEstimator:
    """An estimator with the same expectation for every draft."""
    training = TrainingText(np.zeros(2, np.float32), np.zeros(2, np.float32), WORDS)
    nothing = np.zeros((4, SEGMENT_FEATURES))
    same = fit_regression(nothing, np.full(4, 0.5))
    return QualityEstimator(training, same, same, Thresholds(0.35, 0.2, 0.4, 0.35))


def test_drafts_similar_to_useless_ones_are_unusable(tmp_path: Path) -> None:
    generator = np.random.default_rng(3)
    chances = generator.uniform(0.02, 0.9, 150)
    rows = [row_of(number, float(chance)) for number, chance in enumerate(chances)]
    names = ["useless" if chance < 0.2 else "repairable" if chance < 0.5 else "usable" for chance in chances]
    before = estimator_of_chrf()
    judgements = {key_of(row): name for row, name in zip(rows, names, strict=True)}
    fitted, report = fit_usability(before, rows, judgements)
    assert "usable" in report
    assert fitted.is_unusable(row_of(1, 0.03).evidence) and not fitted.is_unusable(row_of(1, 0.8).evidence)
    assert not before.is_unusable(row_of(1, 0.03).evidence), "without judgements expected chrF decides"
    fitted.save(tmp_path)
    read = QualityEstimator.load(tmp_path / QUALITY_FILE, WORDS)
    assert [read.is_unusable(row.evidence) for row in rows] == [
        fitted.is_unusable(row.evidence) for row in rows
    ]
    few = dict(list(judgements.items())[:60])
    assert fit_usability(before, rows, few)[0] is before


def test_a_table_of_judgements_is_read_or_refused(tmp_path: Path) -> None:
    table = tmp_path / "judged.tsv"
    table.write_text("genre\tdocument\tdraft\tjudged\nnews\td\t00ff\tuseless\n", encoding="utf-8")
    assert read_judgements(table) == {"00ff": "useless"}
    head = "draft\tjudged\n"
    for text in ("genre\tdocument\nnews\td\n", f"{head}00ff\tgood\n", f"{head}00ff\n1\tgood\n"):
        table.write_text(text, encoding="utf-8")
        with pytest.raises(CorpusError):
            read_judgements(table)
    with pytest.raises(CorpusError):
        read_judgements(tmp_path / "none.tsv")
