"""`evaluate` scores existing outputs with the given options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anaphora_nmt.cli import main

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


def test_case_and_references_follow_the_options(arguments: list[str], tmp_path: Path) -> None:
    found = {}
    for given_options in ("", "--lowercase", "--lowercase --all-references"):
        assert main(["evaluate", *arguments, *given_options.split()]) == 0
        found[given_options] = json.loads((tmp_path / "out" / "none.json").read_text("utf-8"))["bleu"]
    one, lower, several = found.values()
    assert one["value"] < lower["value"] < several["value"] == pytest.approx(100)
    assert "nrefs:2|case:lc" in several["signature"] and "nrefs:1|case:mixed" in one["signature"]


def test_missing_references_are_reported(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = [[segment["zh"], segment["en"]] for segment in SEGMENTS]
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"doc": "x", "segments": pairs}) + "\n", "utf-8")
    assert main(["evaluate", *arguments, "--all-references"]) != 0
    assert "--all-references" in capsys.readouterr().err
