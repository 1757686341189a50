"""Evaluation of systems, as JSON and as a table."""

from __future__ import annotations

import subprocess
import sys

import pytest

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.evaluation.report import (
    EvaluationSet,
    compare,
    evaluate,
    markdown_table,
)

REFERENCE = [f"The file number {n} is saved in the folder {'abcdefghijkl'[n % 12]}." for n in range(10, 34)]
SOURCES = [f"第 {n} 个文件保存在文件夹 {'abcdefghijkl'[n % 12]} 中。" for n in range(10, 34)]
GOOD = [line.replace("saved", "stored") for line in REFERENCE]
BAD = ["A file " + line.split("is ")[1] for line in REFERENCE]
DOCUMENTS = [n // 2 for n in range(len(REFERENCE))]
TEST = EvaluationSet(SOURCES, [REFERENCE], DOCUMENTS)


def test_one_system() -> None:
    result = evaluate("good", TEST, GOOD)
    assert (result.name, result.segments) == ("good", 24)
    assert 40 < result.bleu.value < 100
    assert result.chrf.value > result.bleu.value
    assert result.document_bleu is not None
    assert (result.copying.numbers.found, result.copying.numbers.total) == (24, 24)
    assert result.repetition.looping == result.repetition.empty == result.repetition.runaway == 0
    assert evaluate("good", EvaluationSet(SOURCES, [REFERENCE]), GOOD).document_bleu is None


def test_systems_against_a_baseline() -> None:
    first, good, same = compare(TEST, {"good": GOOD, "bad": BAD, "same": BAD}, "bad", samples=100)
    assert first.evaluation.name == "bad"
    assert first.bleu is None
    assert good.bleu is not None
    assert good.by_document is not None
    assert good.signs is not None
    assert good.bleu.difference == pytest.approx(good.evaluation.bleu.value - first.evaluation.bleu.value)
    assert good.bleu.p < 0.05
    assert good.by_document.p < 0.05
    assert (good.signs.better, good.signs.worse) == (24, 0)
    assert same.bleu is not None
    assert same.bleu.p == 1


def test_the_table_has_a_row_for_each_system() -> None:
    table = markdown_table(compare(TEST, {"a|b": GOOD, "bad": BAD}, "bad", samples=100))
    rows = [line for line in table.splitlines() if line.startswith("|")]
    assert len(rows) == 4
    assert len({row.replace("\\|", "").count("|") for row in rows}) == 1
    assert rows[2].startswith("| bad |")
    assert rows[3].startswith("| a\\|b |")
    assert "(+" in rows[3]
    assert "24 / 0" in rows[3]
    assert "nrefs:1" in table


def test_wrong_inputs() -> None:
    with pytest.raises(CorpusError, match="there is no system 'x'; available: good"):
        compare(TEST, {"good": GOOD}, "x")
    with pytest.raises(CorpusError, match="same test set"):
        evaluate("short", TEST, GOOD[:3])
    with pytest.raises(CorpusError, match="no output"):
        evaluate("none", EvaluationSet([], [[]]), [])


def test_scores_need_no_torch() -> None:
    program = "import sys, anaphora_nmt.evaluation.report; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0
