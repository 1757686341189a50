"""Test sets with their references, and detokenised text."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.evaluation.significance import corpus_bleu
from experiments.scored_sets import detokenise, load_scored_set


def write(path: Path, records: list[dict]) -> None:
    path.parent.mkdir(parents=True)
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    about = {"source": "x", "licence": "x"}
    write(
        tmp_path / "docs-zh-en" / "test.jsonl.xz",
        [{"doc": "d", **about, "segments": [["甲", "One."], ["乙", "Two."]]}],
    )
    segments = [
        {"zh": "甲", "en": "one", "refs": ["it &apos;s the first one .", "one !", "it 's one"]},
        {"zh": "乙", "en": "two", "refs": ["then comes two , too .", "don 't", "he said two"]},
    ]
    write(tmp_path / "tvsub" / "test.jsonl.xz", [{"doc": "t", **about, "segments": segments}])
    return tmp_path


@pytest.mark.slow
def test_moses_tokens_become_running_text() -> None:
    tokenised = ["it &apos;s done , isn &apos;t it ?", "how 'd it go ?", "Running text isn't touched."]
    assert detokenise(tokenised) == [
        "it's done, isn't it?",
        "how'd it go?",
        "Running text isn't touched.",
    ]


def test_documents_and_subtitles(data: Path) -> None:
    docs = load_scored_set("docs-test", data)
    assert docs.data.references == [["One.", "Two."]] and docs.data.documents == ["d", "d"]
    assert docs.prepare(["it 's"]) == ["it 's"]
    subtitles = load_scored_set("tvsub-test", data)
    assert [lines[0] for lines in subtitles.data.references] == ["it's the first one.", "one!", "it's one"]
    assert subtitles.data.lowercase
    outputs = subtitles.prepare(["It &apos;s the first one .", "Then comes two , too ."])
    assert corpus_bleu(outputs, subtitles.data.references, subtitles.data.lowercase).value == pytest.approx(
        100
    )


def test_unknown_and_missing_sets_are_reported(data: Path) -> None:
    with pytest.raises(CorpusError, match="there is no test set 'news'"):
        load_scored_set("news", data)
    with pytest.raises(CorpusError, match="cannot be read"):
        load_scored_set("docs-dev", data)
