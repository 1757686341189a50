"""The training commands from a corpus to a translating model, at toy size."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.cli import main
from anaphora_nmt.types import SearchOptions, SourceSegment

WORDS = {
    "张量": "tensor",
    "模型": "model",
    "变量": "variable",
    "服务器": "server",
    "文件": "file",
    "目录": "folder",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of a language in which every sentence is 打开 and two nouns."""
    path = tmp_path_factory.mktemp("corpus") / "train.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for first, english in WORDS.items():
            pairs = [
                [f"打开{first}和{second}。", f"Open the {english} and the {other}."]
                for second, other in WORDS.items()
            ]
            file.write(json.dumps({"doc": first, "segments": pairs}, ensure_ascii=False) + "\n")
    return path


@pytest.mark.slow
def test_a_recurrent_model_from_corpus_to_translation(corpus: Path, tmp_path: Path) -> None:
    prepared, runs = tmp_path / "prepared", tmp_path / "runs"
    corpora = ["--train", str(corpus), "--dev", str(corpus)]
    sizes = ["--source-pieces", "310", "--target-pieces", "315", "--no-alignments", "--no-topics"]
    assert main(["prepare", *corpora, *sizes, "--out", str(prepared)]) == 0
    model = {"kind": "recurrent", "width": 64}
    training = {"batch_tokens": 200, "warmup": 5, "updates": 20, "decay": 1}
    first = {
        "model": {"encoder": {**model, "layers": 1}, "decoder": model},
        "every": 10,
        "training": training,
    }
    second = {"like": "first", "initial": "first", "resume": True, "export": "toy"}
    second["training"] = {"updates": 40, "decay": 10}
    configuration = tmp_path / "toy.json"
    configuration.write_text(json.dumps({"stages": {"first": first, "second": second}}))
    arguments = ["train", str(configuration), "--data", str(prepared), "--runs", str(runs)]
    assert main([*arguments, "--minutes", "0"]) == 3, "no time for anything"
    assert main([*arguments, "--stage", "first"]) == 0
    assert main(arguments) == 0
    curves = [(runs / name / "curve.jsonl").read_text().splitlines() for name in ("first", "second")]
    curve = [json.loads(line) for lines in curves for line in lines]
    assert [record["update"] for record in curve] == [10, 20, 30, 40]
    assert curve[-1]["dev_loss"] < curve[0]["dev_loss"]
    changed = {"first": {**first, "training": {**training, "updates": 30}}, "second": second}
    configuration.write_text(json.dumps({"stages": changed}))
    assert main(arguments) == 2, "another run is there"
    translator = Translator.load(runs / "second" / "model", device="cpu")
    translator.open_document("d", [SourceSegment("0", "打开模型和文件。")])
    assert "Open" in translator.translate("d", "0", SearchOptions(beam_size=2)).text


@pytest.mark.parametrize(("package", "command"), [("sacrebleu", "evaluate"), ("tomotopy", "prepare")])
def test_a_missing_package_is_named_with_its_extra(
    corpus: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
    package: str,
    command: str,
) -> None:
    for name in [
        name
        for name in sys.modules
        if name.startswith((package, "anaphora_nmt.evaluation", "anaphora_nmt.training.topics"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)  # type: ignore[arg-type]
    given = {
        "evaluate": ["--model", str(tmp_path), "--corpus", str(corpus)],
        "prepare": ["--train", str(corpus), "--dev", str(corpus)],
    }
    assert main([command, *given[command], "--out", str(tmp_path / "out")]) == 2
    extra = "evaluate" if command == "evaluate" else "train"
    assert f"the package {package} is missing: pip install anaphora[{extra}]" in capsys.readouterr().err


def test_expected_errors_are_one_line(capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
    arguments = ["prepare", "--train", str(tmp_path / "no.jsonl"), "--dev", "x", "--out", str(tmp_path)]
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("anaphora-nmt: ")
    assert main(["translate", str(tmp_path / "no.txt")]) == 2
    assert "cannot be read" in capsys.readouterr().err
