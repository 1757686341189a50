"""The estimator's regressions, file, and measures."""

from __future__ import annotations

import json
import os
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.pipeline.fitting.quality_fit import area_under_curve, spearman
from anaphora_nmt.quality.estimator import QUALITY_FILE, QualityEstimator, Thresholds, fit_regression
from anaphora_nmt.quality.evidence import TrainingText
from anaphora_nmt.text.word_list import WordList


def rows_of(count: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """Inputs, and noisy shares that depend on them."""
    generator = np.random.default_rng(3)
    rows = generator.normal(size=(count, 3)) * (1.0, 10.0, 1.0) + (0.0, 5.0, 0.0)
    logits = rows[:, 0] - 0.1 * (rows[:, 1] - 5.0) + 0.2 * generator.normal(size=count)
    return rows, 1 / (1 + np.exp(-logits))


def test_a_regression_recovers_the_true_weights() -> None:
    rows, shares = rows_of()
    fitted = fit_regression(rows, shares, ridge=1e-4)
    slopes = fitted.weights / fitted.scale
    assert slopes == pytest.approx((1.0, -0.1, 0.0), abs=0.05)
    assert np.abs(fitted(rows) - shares).mean() < 0.05


def test_an_estimator_can_be_saved_and_damaged_files_are_refused(tmp_path: Path) -> None:
    rows, shares = rows_of()
    words = WordList.of(["word"])
    training = TrainingText(np.array([0.0, 1.5], np.float32), np.array([2.0], np.float32), words)
    fitted = QualityEstimator(
        training,
        fit_regression(rows, shares),
        fit_regression(rows[:, :2], shares),
        Thresholds(0.3, 0.2, 0.4, 0.45),
    )
    fitted.save(tmp_path)
    read = QualityEstimator.load(tmp_path / QUALITY_FILE, words)
    assert read.segment(rows) == pytest.approx(fitted.segment(rows))
    assert read.thresholds == fitted.thresholds
    assert read.training.knows("Word") and not read.training.knows("wodr")
    path = tmp_path / QUALITY_FILE
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"", whole.replace(b"segment", b"segmenT")):
        path.write_bytes(damaged)
        with pytest.raises(ModelFileError):
            QualityEstimator.load(path, words)


def test_measures_equal_their_definitions() -> None:
    generator = np.random.default_rng(5)
    values = generator.integers(0, 6, 40) / 5
    wrong = generator.random(40) < 0.4
    pairs = [(a, b) for a, b in product(values[wrong], values[~wrong])]
    assert area_under_curve(wrong, values) == pytest.approx(
        np.mean([1.0 if a < b else 0.5 if a == b else 0.0 for a, b in pairs])
    )
    assert spearman(values, np.exp(3 * values)) == pytest.approx(1.0)
    assert spearman(values, -values) == pytest.approx(-1.0)
    assert spearman(values, np.zeros_like(values)) == 0.0, "constant values have no correlation"


def estimator_of(usable: bool) -> QualityEstimator:
    rows, shares = rows_of(40)
    counts = np.array([0.0, 1.5], np.float32), np.array([2.0], np.float32)
    training = TrainingText(*counts, WordList.of(["word"]), frozenset({9, 4}))
    fitted = [fit_regression(rows[:, :width], shares) for width in (3, 2, 1)]
    return QualityEstimator(
        training, fitted[0], fitted[1], Thresholds(0.3, 0.2, 0.4, 0.45), fitted[2] if usable else None
    )


@pytest.mark.parametrize("version", [1, 5])
def test_a_file_of_another_version_is_refused(tmp_path: Path, version: int) -> None:
    estimator_of(True).save(tmp_path)
    path = tmp_path / QUALITY_FILE
    with np.load(path) as file:
        arrays = dict(file)
    about = json.loads(arrays["about"].tobytes())
    arrays["about"] = np.frombuffer(json.dumps({**about, "format": version}).encode(), np.uint8)
    np.savez_compressed(path, allow_pickle=False, **arrays)
    with pytest.raises(ModelFileError, match=f"its format is {version}"):
        QualityEstimator.load(path, WordList.of(["word"]))


class Intruder:
    """An object that executes code when it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple:
        return os.mkdir, (str(self.trace),)


@pytest.mark.parametrize("name", ["about", "segment.weights", "training.placeholders"])
def test_no_pickled_code_runs(tmp_path: Path, name: str) -> None:
    estimator_of(True).save(tmp_path)
    path, trace = tmp_path / QUALITY_FILE, tmp_path / "ran"
    with np.load(path) as file:
        arrays = dict(file)
    arrays[name] = np.array([Intruder(trace)], object)
    np.savez_compressed(path, allow_pickle=True, **arrays)
    with pytest.raises(ModelFileError, match="cannot be read"):
        QualityEstimator.load(path, WordList.of(["word"]))
    assert not trace.exists()
