"""Untrusted archives: unpacked completely and inside their folder, or not at all."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.files import is_archive, unpack


def archive(path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries:
            file.writestr(name, content)
    return path


def test_archive_is_unpacked_completely(tmp_path: Path) -> None:
    packed = archive(
        tmp_path / "en_de.argosmodel", ("pair/model/model.bin", bytes(range(256)) * 900), ("pair/a", b"")
    )
    assert is_archive(packed) and not is_archive(tmp_path)
    unpack(packed, tmp_path / "out")
    assert (tmp_path / "out/pair/model/model.bin").read_bytes() == bytes(range(256)) * 900
    assert (tmp_path / "out/pair/a").read_bytes() == b""


def link() -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("model.bin")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


@pytest.mark.parametrize(
    "name", ["../out.txt", "/tmp/out.txt", "a/../../out.txt", "C:/out.txt", "..\\out.txt", ".", link()]
)
def test_nothing_is_written_outside_the_folder(tmp_path: Path, name: str | zipfile.ZipInfo) -> None:
    packed = archive(tmp_path / "model.zip", (name, b"/etc/passwd"))
    with pytest.raises(ModelFileError, match="an unexpected entry"):
        unpack(packed, tmp_path / "in" / "out")
    assert list(tmp_path.rglob("*.txt")) == [] and not (tmp_path / "in").exists()


@pytest.mark.slow
def test_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    packed = archive(tmp_path / "model.zip", ("model.bin", bytes(60 << 20)))
    assert packed.stat().st_size < 1 << 20
    with pytest.raises(ModelFileError, match="too large for a model archive"):
        unpack(packed, tmp_path / "out")
    many = archive(tmp_path / "many.zip", *((str(number), b"") for number in range(2100)))
    with pytest.raises(ModelFileError, match="too large for a model archive"):
        unpack(many, tmp_path / "out")


def test_an_archive_that_understates_its_size_is_damaged(tmp_path: Path) -> None:
    packed = archive(tmp_path / "model.zip", ("model.bin", b"weights " * 5000))
    content = packed.read_bytes()
    size = (40000).to_bytes(4, "little")
    assert content.count(size) == 2  # in the local header and in the central directory
    packed.write_bytes(content.replace(size, (100).to_bytes(4, "little")))
    with pytest.raises(ModelFileError, match="damaged or incomplete"):
        unpack(packed, tmp_path / "out")


@pytest.mark.parametrize("kept", [0.2, 0.6, 0.95])
def test_an_archive_that_is_cut_off_is_damaged(tmp_path: Path, kept: float) -> None:
    whole = archive(tmp_path / "whole.zip", ("a/model.bin", bytes(range(256)) * 64)).read_bytes()
    (tmp_path / "model.zip").write_bytes(whole[: int(kept * len(whole))])
    with pytest.raises(ModelFileError, match="damaged or incomplete"):
        unpack(tmp_path / "model.zip", tmp_path / "out")
