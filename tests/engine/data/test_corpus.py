"""Reading of parallel documents; damage is a CorpusError that names the file."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path

import pytest

from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.errors import CorpusError

LINE = json.dumps(
    {
        "doc": "a/b",
        "source": "books",
        "licence": "MIT",
        "segments": [["你好。", "Hello."], ["再见。", "Goodbye."]],
    },
    ensure_ascii=False,
)
DOCUMENT = ParallelDocument("a/b", "books", "MIT", (("你好。", "Hello."), ("再见。", "Goodbye.")))


def test_plain_and_compressed(tmp_path: Path) -> None:
    content = f"{LINE}\n{LINE}\n".encode()
    for name, data in (
        ("corpus.jsonl", content),
        ("corpus.jsonl.xz", lzma.compress(content)),
        ("corpus.jsonl.gz", gzip.compress(content)),
    ):
        (tmp_path / name).write_bytes(data)
        assert list(read_documents(tmp_path / name)) == [DOCUMENT, DOCUMENT]


def test_segments_may_be_objects_and_names_may_be_missing(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"doc": "x", "segments": [{"zh": "你好", "en": "Hello", "refs": []}]}\n', "utf-8")
    assert list(read_documents(path)) == [ParallelDocument("x", "", "", (("你好", "Hello"),))]


def test_several_references_of_a_segment_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    segment = {"zh": "你好", "en": "hello", "refs": ["hello", "hi"]}
    path.write_text(json.dumps({"doc": "x", "segments": [segment]}) + "\n", "utf-8")
    (document,) = read_documents(path)
    assert document.pairs == (("你好", "hello"),) and document.references == (("hello", "hi"),)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"doc": "x"}',
        '{"segments": []}',
        '{"doc": "x", "segments": [["only one side"]]}',
        '{"doc": "x", "segments": [[1, 2]]}',
        '{"doc": "x", "segments": [["a", "b", "c"]]}',
        '{"doc": "x", "segments": [{"zh": "a", "en": null}]}',
        '{"doc": 5, "segments": [["a", "b"]]}',
        '{"doc": "x", "source": 5, "segments": []}',
        "",
    ],
)
def test_an_invalid_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text(f"{LINE}\n{line}\n", "utf-8")
    with pytest.raises(CorpusError, match=r"corpus\.jsonl, line 2"):
        list(read_documents(path))


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="missing"):
        list(read_documents(tmp_path / "missing.jsonl"))
    with pytest.raises(CorpusError):
        list(read_documents(tmp_path))


@pytest.mark.parametrize("suffix", [".xz", ".gz"])
def test_damaged_archives(tmp_path: Path, suffix: str) -> None:
    compress = lzma.compress if suffix == ".xz" else gzip.compress
    whole = compress(f"{LINE}\n".encode() * 50)
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 0xFF]) + whole[middle + 1 :]
    for data in (whole[:middle], b"not an archive", flipped):
        path = tmp_path / f"corpus.jsonl{suffix}"
        path.write_bytes(data)
        with pytest.raises(CorpusError, match="corpus"):
            list(read_documents(path))


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", "你好".encode("gb18030"), LINE.encode("utf-16")])
def test_another_encoding(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(data)
    with pytest.raises(CorpusError, match="line"):
        list(read_documents(path))
