"""`evaluate` scores what is translated already, as it is asked to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from anaphora_nmt.cli import main
from anaphora_nmt.commands.shared.embedded_model import embedded_model

SEGMENTS = [
    {"zh": "猫坐在垫子上。", "en": "the cat sat on the mat .", "refs": ["the cat sat on the mat .", "a cat"]},
    {
        "zh": "一只狗叫了起来。",
        "en": "a dog barked aloud .",
        "refs": ["a dog barked aloud .", "the dog barked ."],
    },
]
OUTPUT = "The cat sat on the mat .\nThe dog barked .\n"


@pytest.fixture()
def arguments(tmp_path: Path) -> list[str]:
    corpus, out = tmp_path / "corpus.jsonl", tmp_path / "out"
    corpus.write_text(json.dumps({"doc": "x", "segments": SEGMENTS}) + "\n", "utf-8")
    out.mkdir()
    (out / "none.txt").write_text(OUTPUT, "utf-8")
    return [f"--model={tmp_path}", f"--corpus={corpus}", f"--out={out}", "--memories=none"]


def test_case_and_references_are_as_asked(arguments: list[str], tmp_path: Path) -> None:
    found = {}
    for asked in ("", "--lowercase", "--lowercase --all-references"):
        assert main(["evaluate", *arguments, *asked.split()]) == 0
        found[asked] = json.loads((tmp_path / "out" / "none.json").read_text("utf-8"))["bleu"]
    one, lower, several = found.values()
    assert one["value"] < lower["value"] < several["value"] == pytest.approx(100)
    assert "nrefs:2|case:lc" in several["signature"] and "nrefs:1|case:mixed" in one["signature"]


def test_references_that_are_not_there_are_missed(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = [[segment["zh"], segment["en"]] for segment in SEGMENTS]
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"doc": "x", "segments": pairs}) + "\n", "utf-8")
    assert main(["evaluate", *arguments, "--all-references"]) != 0
    assert "--all-references" in capsys.readouterr().err


@pytest.mark.skipif(not torch.distributed.is_available(), reason="torch was built without distribution")
@pytest.mark.slow
def test_documents_that_processes_of_torchrun_share_are_drafted_as_by_one(tmp_path: Path) -> None:
    """Each document in its own memory, of drafts; five documents in three shards."""
    words = ["合同", "租金", "押金", "房屋", "承租人"]
    corpus = tmp_path / "corpus.jsonl"
    with corpus.open("w", encoding="utf-8") as file:
        for number, word in enumerate(words):
            pairs = [[f"{word}在哪里？", "Where is it?"], [f"请看{word}。", "Look at it."]][: 1 + number % 2]
            file.write(json.dumps({"doc": word, "segments": pairs}, ensure_ascii=False) + "\n")
    model = ["--model", str(embedded_model()), "--corpus", str(corpus), "--memories", "none,all"]
    arguments = ["evaluate", *model, "--beam", "2", "--shard", "3", "--out"]
    assert main([*arguments, str(tmp_path / "one")]) == 0
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", "-m"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    command = [*launcher, "anaphora_nmt.cli", *arguments, str(tmp_path / "two")]
    subprocess.run(command, env=environment, check=True, timeout=170)
    names = {path.name for path in (tmp_path / "one").iterdir()}
    assert {"none.txt", "all.txt", "none.json", "table.md"} <= names
    for name in sorted(names):
        ours, theirs = ((tmp_path / side / name).read_text("utf-8") for side in ("two", "one"))
        if name.endswith(".speed.json"):
            ours, theirs = (str(json.loads(text)["words"]) for text in (ours, theirs))
        assert ours == theirs, name
