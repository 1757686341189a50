"""Linux: a Debian package and an AppImage, with desktop files and manual pages."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from installers.documents import Document, desktop_types, documents, mime_database
from installers.folder import size
from installers.paths import CHANGES, PACKAGING, ROOT, SVG, installer_names, releases, version
from installers.pictures import SIZES, draw

FILES = PACKAGING / "linux"
SCREENSHOTS = {
    "resources/anaphora_resources/guide/pictures/editing.png": "The current segment with matches and terms",
    "packaging/screens/reviewing.png": "Drafts that a confirmation has changed",
    "packaging/screens/dark.png": "The dark theme",
}
"""Captions of the screenshots for software centres, by path in the repository."""
APP_RUN = """#!/bin/sh
# Called through a link named anaphora-nmt, the AppImage runs that command.
case "${ARGV0##*/}" in
    anaphora-nmt*) exec "$APPDIR/usr/bin/anaphora-nmt" "$@" ;;
    *) exec "$APPDIR/usr/bin/anaphora" "$@" ;;
esac
"""


def build_deb(frozen: Path, out: Path, repository: str = "") -> Path:
    from anaphora.system.platform_check import SYSTEM_PACKAGES

    tree = out / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    usr = write_tree(frozen, tree, repository)
    architecture = subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
    ).stdout.strip()
    depends = ", ".join(["libc6", *SYSTEM_PACKAGES.split()])
    control = (
        f"Package: anaphora\nVersion: {version()}\nArchitecture: {architecture}\nSection: editors\n"
        f"Priority: optional\nMaintainer: The Anaphora contributors <anaphora@localhost>\n"
        f"Installed-Size: {size(usr) // 1024}\nDepends: {depends}\nRecommends: fonts-noto-cjk\n"
        "Description: translation editor with drafts that follow your corrections\n"
        " A neural engine drafts documents sentence by sentence. Later drafts follow\n"
        " the sentences that you confirm. It works offline.\n"
    )
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN" / "control").write_text(control, "utf-8")
    package = out / installer_names()["deb"]
    # More threads need much memory and save little time.
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z3", "--threads-max=2", "--build"]
    subprocess.run([*command, str(tree), str(package)], check=True)
    return package


def build_appimage(frozen: Path, out: Path, runtime: Path, repository: str = "") -> Path:
    """Make an AppImage. `runtime` is the path of `runtime-x86_64` from github.com/AppImage/type2-runtime."""
    tree = out / "AppDir"
    shutil.rmtree(tree, ignore_errors=True)
    usr = write_tree(frozen, tree, repository)
    run = tree / "AppRun"
    run.write_text(APP_RUN, "utf-8")
    run.chmod(0o755)
    shutil.copyfile(usr / "share" / "applications" / "anaphora.desktop", tree / "anaphora.desktop")
    shutil.copyfile(SVG, tree / "anaphora.svg")
    draw(256, tree / ".DirIcon")
    image, packed = out / installer_names()["appimage"], out / "AppDir.squashfs"
    command = ["mksquashfs", str(tree), str(packed), "-root-owned", "-noappend", "-quiet", "-no-progress"]
    subprocess.run([*command, "-comp", "zstd", "-Xcompression-level", "15", "-b", "1M"], check=True)
    with image.open("wb") as output:
        for part in (runtime, packed):
            with part.open("rb") as source:
                shutil.copyfileobj(source, output)
    packed.unlink()
    image.chmod(0o755)
    return image


def write_tree(frozen: Path, tree: Path, repository: str) -> Path:
    """Write the program's folder, commands and desktop files to `tree/usr`; returns the path of `usr`."""
    usr = tree / "usr"
    (usr / "bin").mkdir(parents=True)
    (usr / "lib").mkdir()
    shutil.copytree(frozen, usr / "lib" / "anaphora", symlinks=True)
    for name in ("anaphora", "anaphora-nmt"):
        (usr / "bin" / name).symlink_to("../lib/anaphora/anaphora")
    put_desktop_files(usr, repository)
    return usr


def put_desktop_files(usr: Path, repository: str = "") -> None:
    share, kinds = usr / "share", documents()
    _write(
        share / "applications" / "anaphora.desktop",
        _fill("anaphora.desktop", {"MEDIA_TYPES": desktop_types(kinds)}),
    )
    _write(share / "metainfo" / "org.anaphora.Anaphora.metainfo.xml", metainfo(kinds, repository))
    _write(share / "mime" / "packages" / "anaphora.xml", mime_database(kinds))
    for command in ("anaphora", "anaphora-nmt"):
        page = (FILES / f"{command}.1").read_text("utf-8")
        _pack(page, share / "man" / "man1" / f"{command}.1.gz")
    _pack(CHANGES.read_text("utf-8"), share / "doc" / "anaphora" / "changelog.gz")
    _write(share / "doc" / "anaphora" / "copyright", (ROOT / "LICENSE").read_text("utf-8"))
    icons = share / "icons" / "hicolor"
    _write(icons / "scalable" / "apps" / "anaphora.svg", SVG.read_text("utf-8"))
    for pixels in SIZES:
        draw(pixels, icons / f"{pixels}x{pixels}" / "apps" / "anaphora.png")


def metainfo(kinds: tuple[Document, ...], repository: str) -> str:
    """AppStream metadata; it has a home page and screenshots only if `repository` is not empty."""
    types = "\n".join(f"    <mediatype>{each.media_type}</mediatype>" for each in kinds)
    dated = "\n".join(f'    <release version="{name}" date="{day}"/>' for name, day in releases())
    links = ""
    if repository:
        pictures = []
        for number, (path, caption) in enumerate(SCREENSHOTS.items()):
            address = f"{repository}/raw/v{version()}/{path}"
            first = ' type="default"' if not number else ""
            pictures.append(
                f"    <screenshot{first}>\n      <caption>{caption}</caption>\n"
                f"      <image>{address}</image>\n    </screenshot>"
            )
        links = "\n".join(
            [f'  <url type="homepage">{repository}</url>', "  <screenshots>", *pictures, "  </screenshots>"]
        )
    text = _fill("anaphora.metainfo.xml", {"MEDIA_TYPES": types, "RELEASES": dated, "SCREENSHOTS": links})
    return "\n".join(line for line in text.split("\n") if line.strip()) + "\n"


def _fill(name: str, values: Mapping[str, str]) -> str:
    text = (FILES / name).read_text("utf-8")
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return text


def _write(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, "utf-8")


def _pack(text: str, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(text.encode("utf-8"), 9, mtime=0))
