"""Documents in storages of fsspec: finding, translating, complete writing and continued runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from small_documents import write_texts

from anaphora.cli.batch.ledger import FOLDER_NAME
from anaphora.cli.batch.plan import plan
from anaphora.cli.storage import (
    StorageError,
    Stored,
    local_files,
    place_of,
)
from anaphora.core.errors import ExportError
from anaphora.core.language_pair import CHINESE_TO_ENGLISH
from anaphora.formats.base.format import FormatError
from anaphora.main import main

TEXTS = {
    "a.md": "# 标题\n",
    "sub/b.txt": "关闭窗口。\n",
    "第二章/c.srt": "1\n00:00:01,000 --> 00:00:02,000\n好。\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    passed_over = {".hidden/d.txt": "隐藏。", "sub/build/e.txt": "生成。", "f.png": ""}
    return write_texts(tmp_path / "in", {**TEXTS, **passed_over})


def names(root: Path) -> set[str]:
    found = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    return {name for name in found if not name.startswith(FOLDER_NAME)}


def test_addresses_are_distinguished_from_paths() -> None:
    assert place_of("s3://bucket/in/") == Stored("s3://bucket/in")
    assert place_of("C:/in") == Path("C:/in")
    assert Stored("s3://b/in") / "a/b.txt" == Stored("s3://b/in/a/b.txt")
    assert Stored("s3://b/in/b.txt").with_name("c.txt") == Stored("s3://b/in/c.txt")
    assert place_of("C://in") == Path("C://in")
    assert place_of("memory:///") / "a.txt" == Stored("memory://a.txt")


def test_documents_in_a_storage_are_found_like_those_in_a_folder(folder: Path, tmp_path: Path) -> None:
    stored, out = Stored(f"file://{folder}"), Stored(f"file://{tmp_path}/out")
    found, alike = (
        plan([stored], out, CHINESE_TO_ENGLISH),
        plan([folder], tmp_path / "out", CHINESE_TO_ENGLISH),
    )
    assert [(job.name, job.size) for job in found.jobs] == [(job.name, job.size) for job in alike.jobs]
    assert found.unsupported == alike.unsupported == 1
    assert str(found.jobs[0].destination) == f"{out}/{found.jobs[0].name}"
    some = plan([stored], out, CHINESE_TO_ENGLISH, ("*.txt", "*.md"), ("sub/*",))
    assert [job.name for job in some.jobs] == ["a.md"]
    (one,) = plan([stored / "a.md"], out, CHINESE_TO_ENGLISH).jobs
    assert (one.name, one.digest) == ("a.md", next(job for job in found.jobs if job.name == "a.md").digest)
    inside = plan([stored], stored / "sub", CHINESE_TO_ENGLISH)
    assert {job.name for job in inside.jobs} == set(TEXTS) - {"sub/b.txt"}, "the output is not an input"


def test_impossible_runs_are_refused_before_the_work(folder: Path, tmp_path: Path, capsys) -> None:
    stored = Stored(f"file://{folder}")
    for out in (stored, stored / "sub"):
        with pytest.raises(ExportError, match="is the source to translate"):
            plan([stored / "sub" / "b.txt" if out != stored else stored], out, CHINESE_TO_ENGLISH)
    with pytest.raises(FormatError, match="does not exist"):
        plan([stored / "none"], tmp_path / "out", CHINESE_TO_ENGLISH)
    with pytest.raises(FormatError, match="Only one folder"):
        plan([stored, folder], tmp_path / "out", CHINESE_TO_ENGLISH)
    with pytest.raises(StorageError, match="could not be reached"):
        plan([Stored("nothing://a")], tmp_path / "out", CHINESE_TO_ENGLISH)
    assert main(["translate", "--pseudo", "nothing://a", "-o", str(tmp_path / "out")]) == 1
    printed = capsys.readouterr().err
    assert "nothing://a" in printed and "Traceback" not in printed


def test_names_outside_the_folder_are_left_out_and_similar_names_are_distinguished(
    tmp_path: Path, monkeypatch
) -> None:
    kept = dict.fromkeys(("a.txt", "A.txt", "/etc/passwd.txt", "a//b.txt", "sub/c.txt"), (1, "mark"))
    monkeypatch.setattr(Stored, "files", lambda self: kept)
    monkeypatch.setattr(Stored, "exists", lambda self: True)
    monkeypatch.setattr(Stored, "is_dir", lambda self: True)
    root, here = Stored("s3://bucket/in"), tmp_path / "out"
    found = plan([root], here, CHINESE_TO_ENGLISH)
    assert {job.source: job.destination for job in found.jobs} == {
        root / "A.txt": here / "A.txt",
        root / "a.txt": here / "a (2).txt",
        root / "sub/c.txt": here / "sub" / "c.txt",
    }
    assert {name for name, _ in found.left_out} == {"/etc/passwd.txt", "a//b.txt"}
    there = plan([root], Stored("s3://bucket/out"), CHINESE_TO_ENGLISH)
    assert {job.name for job in there.jobs} == {"A.txt", "a.txt", "sub/c.txt"}


def test_passwords_are_not_revealed(folder: Path, tmp_path: Path, capsys) -> None:
    address = "nothing://me:secret@host/in"
    assert str(Stored(address)) == "nothing://me:***@host/in"
    assert str(Stored("abfs://box@account.net/in")) == "abfs://box@account.net/in"
    assert str(Stored("hdfs://host:8020/in/a@b.txt")) == "hdfs://host:8020/in/a@b.txt"
    assert str(Stored("s3://KEY:sec/ret@box/in")) == "s3://KEY:***@box/in"
    assert str(Stored("https://host/in?sig=secret&x=1")) == "https://host/in?***"
    assert main(["translate", "--pseudo", address, "-o", str(tmp_path / "out")]) == 1
    assert main(["translate", "--pseudo", str(folder), "-o", address]) == 1
    printed = capsys.readouterr().err
    assert "me:***@host" in printed and "secret" not in printed


def test_a_missing_fsspec_is_reported(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    assert main(["translate", "--pseudo", "s3://bucket/in", "-o", str(tmp_path / "out")]) == 1
    printed = capsys.readouterr().err
    assert "fsspec" in printed and "Traceback" not in printed


def test_one_file_is_written_to_a_storage(folder: Path, capsys) -> None:
    out = "memory://made/b.txt"
    assert main(["translate", "--pseudo", str(folder / "sub" / "b.txt"), "-o", out]) == 0
    (text,) = Stored("memory://made").texts()
    assert "关闭窗口" in text and out in capsys.readouterr().out
    assert main(["translate", str(folder / "sub" / "b.txt"), "-o", "nothing://a/b.txt"]) == 1
    assert "nothing://a/b.txt" in capsys.readouterr().err


def test_stored_files_are_copied_and_the_translation_is_uploaded(tmp_path: Path) -> None:
    here = tmp_path / "a.txt"
    with local_files(here, here) as files:
        assert files == (here, here)
    stored, other = (Stored(f"memory://local_files/{name}") for name in ("a.txt", "b.txt"))
    stored.write("before")
    with local_files(stored, other) as (source, destination):
        assert source.name == "a.txt" and source.read_text("utf-8") == "before"
        destination.write_text("new", "utf-8")
    assert sorted(Stored("memory://local_files").texts()) == ["before", "new"]
    with pytest.raises(ValueError), local_files(stored, stored) as (source, destination):
        assert source == destination
        destination.write_text("never", "utf-8")
        raise ValueError
    assert Stored("memory://local_files").files().keys() == {"a.txt", "b.txt"}
    assert "before" in Stored("memory://local_files").texts() and Stored("memory://none").texts() == []
