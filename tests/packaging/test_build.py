"""What `packaging/build.py` does besides running PyInstaller and dpkg-deb."""

from __future__ import annotations

import gzip
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtGui import QImage

SCRIPT = Path(__file__).parents[2] / "packaging" / "build.py"


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_the_program_never_reads_is_removed_and_the_rest_stays(
    build: ModuleType, tmp_path: Path
) -> None:
    useless = (
        "torch/bin/test_jit",
        "torch/test/a/b.bin",
        "torch/include/x.h",
        "numpy/a.pyi",
        "torch/lib/libx.a",
    )
    kept = ("torch/bin/torch_shm_manager", "anaphora_nmt/native/source/kernels.h", "jieba/dict.txt", "a.so")
    for name in (*useless, *kept):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    build.prune(tmp_path)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {*kept} and build.size(tmp_path) == len(kept)


def test_a_desktop_finds_everything_in_its_place(build: ModuleType, tmp_path: Path) -> None:
    build.put_desktop_files(tmp_path)
    share = tmp_path / "share"
    for size in build.SIZES:
        icon = QImage(str(share / "icons" / "hicolor" / f"{size}x{size}" / "apps" / "anaphora.png"))
        assert (icon.width(), icon.height()) == (size, size) and icon.pixelColor(size // 2, size // 8).alpha()
    assert b"anaphora" in gzip.decompress((share / "man" / "man1" / "anaphora.1.gz").read_bytes())
    for place in ("applications/anaphora.desktop", "mime/packages/anaphora.xml", "doc/anaphora/changelog.gz"):
        assert (share / place).is_file()
