"""A run against others than its baseline."""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path

import pytest

from anaphora_nmt.errors import CorpusError
from experiments.measures.scored_sets import load_scored_set
from experiments.translations import Outputs
from experiments.trials import compare_runs

REFERENCES = [f"The file number {number} is open and the server has started." for number in range(12)]
WORSE = [line.replace("the server has started", "a machine runs") for line in REFERENCES]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The dev set of docs-zh-en, two documents, and three runs that have translated it."""
    (tmp_path / "docs-zh-en").mkdir()
    pairs = [["文件已经打开。", line] for line in REFERENCES]
    documents = [
        {"doc": name, "source": "made up", "licence": "CC0-1.0", "segments": part}
        for name, part in (("a", pairs[:6]), ("b", pairs[6:]))
    ]
    with lzma.open(tmp_path / "docs-zh-en" / "dev.jsonl.xz", "wt", encoding="utf-8") as file:
        file.write("\n".join(json.dumps(document) for document in documents))
    made = (("good", 5, REFERENCES), ("bad", 5, WORSE), ("same", 5, WORSE), ("greedy", 1, WORSE))
    for name, beam, lines in made:
        (tmp_path / name).mkdir()
        Outputs("docs-dev", beam, 1.0, 100, tuple(lines)).save(tmp_path / name)
    return tmp_path


def test_a_run_is_compared_with_each_of_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [str(folder / name) for name in ("bad", "good", "same")]
    monkeypatch.setattr(sys, "argv", ["compare_runs", "docs-dev", *runs, "--data", str(folder)])
    compare_runs.main()
    worse, same = map(json.loads, capsys.readouterr().out.splitlines())
    assert (worse["run"], worse["against"], same["against"]) == ("bad", "good", "same")
    assert worse["bleu"]["difference"] < -20 and worse["bleu"]["p"] < 0.05
    assert worse["signs"]["worse"] == len(REFERENCES)
    assert same["bleu"]["difference"] == 0 and same["bleu"]["p"] > 0.9


def test_another_beam_is_not_compared(folder: Path) -> None:
    test = load_scored_set("docs-dev", folder)
    with pytest.raises(CorpusError, match="beams"):
        compare_runs.compared(test, folder / "good", folder / "greedy")
