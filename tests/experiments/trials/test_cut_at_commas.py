"""Pairs are cut where both sides say the same before it and after it."""

from __future__ import annotations

import json
import lzma
import sys
from itertools import islice
from pathlib import Path

import pytest

from anaphora_nmt.data.corpus import read_documents
from experiments.measures.tokens import Token
from experiments.trials import cut_at_commas
from experiments.trials.cut_at_commas import cut

# words whose order is the same on both sides
WORDS = {
    "服务器": "server",
    "客户端": "client",
    "文件": "file",
    "数据": "data",
    "目录": "folder",
    "模型": "model",
    "发送": "sends",
    "保存": "stores",
    "删除": "deletes",
    "读取": "reads",
}
NOUNS, VERBS = list(WORDS)[:6], list(WORDS)[6:]


def clause(number: int) -> tuple[str, str]:
    first, second, verb = NOUNS[number % 6], NOUNS[(number // 6 + number + 1) % 6], VERBS[number % 4]
    chinese, english = (first, verb, second), (WORDS[word] for word in (first, verb, second))
    return "".join(chinese), " ".join(english)


def test_links_that_cross_forbid_a_cut() -> None:
    sources, targets = (
        [Token(text, 0, 0) for text in line.split()]
        for line in ("服务器 发送 文件 ， 客户端 保存 数据 。", "server sends file , client stores data .")
    )
    straight = [(0, 0), (1, 1), (2, 2), (4, 4), (5, 5), (6, 6)]
    assert cut(sources, targets, straight) == [(3, 3)]
    assert cut(sources, targets, [*straight[:5], (6, 2)]) == []  # the last word comes from before the comma
    assert cut(sources, targets, [*straight, (3, 6)]) == [(3, 3)]  # links of marks say nothing
    assert cut(sources, targets, straight[:4]) == []  # one link is too little to place a part by
    assert cut(sources[:6], targets[:6], straight[:5]) == []  # a part of two words


def test_the_parts_of_a_cut_corpus_are_its_segments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "corpus.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as file:
        for source in ("articles", "laws"):
            for start in range(0, 1200, 6):
                pairs = []
                for number in range(start, start + 5, 2):
                    (one, first), (two, second) = clause(number), clause(number + 7)
                    pairs.append((f"{one}，{two}。", f"{first}, {second}."))
                pairs.append((f"{clause(start)[0]}。", f"{clause(start)[1]}."))
                record = {"doc": f"{source}/{start}", "source": source, "licence": "MIT", "segments": pairs}
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
    out = tmp_path / "out" / "cut.jsonl.xz"
    monkeypatch.setattr(sys, "argv", ["cut_at_commas", f"{path}={out}", "--source", "articles"])
    cut_at_commas.main()
    whole = [document for document in read_documents(path) if document.source_name == "articles"]
    documents = list(read_documents(out))
    with lzma.open(out, "rt", encoding="utf-8") as lines:
        parts = [count for line in lines for count in json.loads(line)["parts"]]
    assert [document.id for document in documents] == [document.id for document in whole]
    segments = [pair for document in whole for pair in document.pairs]
    texts = [pair for document in documents for pair in document.pairs]
    assert len(parts) == len(segments) and sum(parts) == len(texts)
    assert f"{len(segments):,} segments, {len(texts):,} parts" in capsys.readouterr().out
    assert parts.count(2) > 0.5 * sum("，" in source for source, _ in segments)  # eflomal aligns by lot
    assert all("，" in source for (source, _), count in zip(segments, parts, strict=True) if count == 2)
    rest = iter([target for _, target in texts])
    assert [" ".join(islice(rest, count)) for count in parts] == [target for _, target in segments]
