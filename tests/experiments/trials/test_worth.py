"""What histories and contexts are worth, on the model that ships and a few made-up sentences."""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path

import pytest

from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.errors import ConfigError
from experiments.trials import context_worth, history_worth

PAIRS = [
    ["打开文件。", "Open the file."],
    ["文件已经打开。", "The file is open."],
    ["服务器没有启动。", "The server has not started."],
    ["请重新启动服务器。", "Restart the server."],
    ["检查服务器的日志。", "Check the server's log."],
    ["日志保存在文件中。", "The log is kept in a file."],
    ["删除日志。", "Delete the log."],
    ["关闭文件。", "Close the file."],
]


def written(path: Path, parts: list[int] | None = None) -> Path:
    """Two documents, the second backwards."""
    documents = [
        {"doc": name, "source": "made up", "licence": "CC0-1.0", "segments": pairs, "parts": parts}
        for name, pairs in (("a", PAIRS), ("b", PAIRS[::-1]))
    ]
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(json.dumps(document) for document in documents))
    return path


@pytest.mark.slow
def test_a_history_is_read_and_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = written(tmp_path / "corpus.jsonl.xz")
    asked = ["history_worth", str(embedded_model()), str(corpus), "--memory"]
    memories = ("confirmed", "word_caches", "confirmed+word_caches")
    monkeypatch.setattr(sys, "argv", [*asked, ",".join(memories)])
    history_worth.main()
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    found = dict(zip(memories, lines, strict=True))
    for memory, told in found.items():
        nats, oracle = told["nats"], told["oracle"]
        assert told["memory"] == memory and told["pieces"] > 80
        assert all(oracle[kind] <= min(nats[kind], nats["none"]) for kind in oracle)
    # the other document has the same sentences, so its references are all there
    assert found["confirmed"]["nats"]["another's"] < found["confirmed"]["nats"]["none"] - 0.1
    # read together they are neither of the two
    together = found["confirmed+word_caches"]["nats"]
    assert together["none"] == found["confirmed"]["nats"]["none"]
    for memory in ("confirmed", "word_caches"):
        assert together["references"] != found[memory]["nats"]["references"]
    caches = found["word_caches"]
    assert found["confirmed+word_caches"]["offered"] == caches["offered"]
    assert caches["offered"]["another's"] > caches["offered"]["drafts"] // 2 > 0
    assert caches["known"]["references"] <= caches["offered"]["references"]


@pytest.mark.slow
def test_a_memory_that_the_model_lacks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = [str(embedded_model()), str(written(tmp_path / "corpus.jsonl.xz"))]
    monkeypatch.setattr(sys, "argv", ["history_worth", *given, "--memory", "confirmed+continuous_cache"])
    with pytest.raises(ConfigError, match="continuous_cache"):
        history_worth.main()


@pytest.mark.slow
def test_a_part_is_scored_behind_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = written(tmp_path / "cut.jsonl.xz", [2, 1, 3, 2])
    monkeypatch.setattr(sys, "argv", ["context_worth", str(embedded_model()), str(corpus)])
    context_worth.main()
    told = json.loads(capsys.readouterr().out)
    assert told["parts"] == 8 and told["pieces"] > 40
    assert set(told["nats"]) == {"alone", "reference", "draft", "another's"}
    assert told["nats"]["reference"] != told["nats"]["another's"]
