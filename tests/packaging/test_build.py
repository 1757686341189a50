"""Parts of `packaging/build.py` other than running PyInstaller, dpkg-deb and similar tools."""

from __future__ import annotations

import gzip
import os
import plistlib
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from installers import linux, macos, windows
from installers.documents import documents
from installers.folder import command, prune, put_licences, size
from installers.paths import ROOT, installer_names, version
from installers.pictures import SIZES, draw_icon_file
from PySide6.QtGui import QImage


def test_unused_files_are_removed_and_the_rest_stays(tmp_path: Path) -> None:
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
    (tmp_path / "there").symlink_to("a.so")
    (tmp_path / "gone").symlink_to("numpy/a.pyi")
    prune(tmp_path)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {*kept, "there"} and size(tmp_path) == len(kept)
    assert not (tmp_path / "gone").is_symlink()


def test_the_folder_is_built_for_each_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("installers.folder.draw_icon_file", lambda path: path)
    called = {system: command(tmp_path, system) for system in ("linux", "win32", "darwin")}
    assert "--hide-console" in called["win32"] and "--windowed" not in called["win32"]
    assert {"--windowed", "org.anaphora.Anaphora"} <= {*called["darwin"]} and "Anaphora" in called["darwin"]
    assert "--icon" not in called["linux"]
    for each in called.values():
        data = each[each.index("--add-data") + 1] if "--add-data" in each else ""
        assert not data or data.endswith(("anaphora_nmt/native/library", "anaphora_nmt/native/source"))
        left_out = {each[at + 1] for at, part in enumerate(each) if part == "--exclude-module"}
        assert {"ray", "pandas", "pyarrow", "botocore"} <= left_out, "no program can use them"


def test_licences_of_all_dependencies_are_included(tmp_path: Path) -> None:
    put_licences(tmp_path)
    there = {path.name for path in tmp_path.iterdir()}
    assert {"torch", "pyside6-essentials", "shiboken6", "lxml", "httpx2", "truststore"} <= {
        name.replace("_", "-") for name in there
    }
    assert "pytest" not in there and "anaphora" not in there
    for folder in tmp_path.iterdir():
        assert sum(path.stat().st_size for path in folder.iterdir()) > 20, folder.name


def test_desktop_files_are_in_their_places(tmp_path: Path) -> None:
    linux.put_desktop_files(tmp_path)
    share = tmp_path / "share"
    for pixels in SIZES:
        icon = QImage(str(share / "icons" / "hicolor" / f"{pixels}x{pixels}" / "apps" / "anaphora.png"))
        assert (icon.width(), icon.height()) == (pixels, pixels)
        assert icon.pixelColor(pixels // 2, pixels // 8).alpha()
    assert b"anaphora" in gzip.decompress((share / "man" / "man1" / "anaphora.1.gz").read_bytes())
    for place in ("applications/anaphora.desktop", "mime/packages/anaphora.xml", "doc/anaphora/changelog.gz"):
        assert (share / place).is_file()


def test_the_windows_icon_has_all_sizes(tmp_path: Path) -> None:
    content = draw_icon_file(tmp_path / "anaphora.ico").read_bytes()
    _, kind, count = struct.unpack_from("<HHH", content)
    assert kind == 1
    for number in range(count):
        pixels, *_, length, at = struct.unpack_from("<BBBBHHII", content, 6 + 16 * number)
        picture = QImage.fromData(content[at : at + length])
        assert picture.width() == picture.height() == (pixels or 256)
    assert not QImage(str(tmp_path / "anaphora.ico")).isNull()


@pytest.mark.skipif(shutil.which("mksquashfs") is None, reason="needs squashfs-tools")
@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
def test_an_appimage_is_its_runtime_followed_by_the_files(tmp_path: Path) -> None:
    frozen = tmp_path / "anaphora"
    frozen.mkdir()
    program = frozen / "anaphora"
    program.write_text('#!/bin/sh\necho "$0 $1"\n')
    program.chmod(0o755)
    runtime = tmp_path / "runtime"
    runtime.write_bytes(b"the runtime\n")
    image = linux.build_appimage(frozen, tmp_path, runtime)
    content = image.read_bytes()
    assert content.startswith(b"the runtime\nhsqs") and os.access(image, os.X_OK)
    root = tmp_path / "AppDir"
    assert {path.name for path in root.iterdir()} == {
        "AppRun",
        "usr",
        "anaphora.desktop",
        "anaphora.svg",
        ".DirIcon",
    }
    for called, started in (
        ("/x/anaphora-nmt", "anaphora-nmt"),
        ("./anaphora-linux-x86_64.AppImage", "anaphora"),
    ):
        environment = {**os.environ, "APPDIR": str(root), "ARGV0": called}
        done = subprocess.run([str(root / "AppRun"), "a b"], env=environment, capture_output=True, text=True)
        assert done.stdout == f"{root}/usr/bin/{started} a b\n"


def test_windows_offers_it_for_all_files_but_is_default_only_for_projects(tmp_path: Path) -> None:
    windows.prepare(tmp_path)
    lines = (tmp_path / "associations.iss").read_text("utf-8-sig").splitlines()
    keys = [re.match(r'Root: HKA; Subkey: "Software\\Classes\\(.+?)";', line) for line in lines]
    assert all(keys)
    extensions = {extension for each in documents() for extension in each.extensions}
    offered = {key[1].partition("\\")[0] for key in keys if key and key[1].endswith("OpenWithProgids")}
    assert offered == extensions
    registered = [key[1] for key in keys if key and key[1].startswith(".") and "\\" not in key[1]]
    assert registered == [".anaphora"]


def test_the_windows_script_needs_no_rights_and_defines_all_its_values() -> None:
    script = windows.SCRIPT.read_text("utf-8")
    assert "\nPrivilegesRequired=lowest\n" in script and "HKLM" not in script
    used = {name for name in re.findall(r"\{#(\w+)\}", script)} | {*re.findall(r"#include (\w+)", script)}
    assert used == {"Version", "Frozen", "Made", "Out", "Licence"}


def test_macos_knows_all_file_types(tmp_path: Path) -> None:
    application = tmp_path / "Anaphora.app"
    (application / "Contents").mkdir(parents=True)
    plist = application / "Contents" / "Info.plist"
    plist.write_bytes(plistlib.dumps({"CFBundleExecutable": "Anaphora", "CFBundleVersion": "0.0.0"}))
    macos.complete(application)
    values = plistlib.loads(plist.read_bytes())
    assert values["CFBundleExecutable"] == "Anaphora" and values["CFBundleVersion"] == version()
    kinds = values["CFBundleDocumentTypes"]
    extensions = {f".{each}" for kind in kinds for each in kind["CFBundleTypeExtensions"]}
    assert extensions == {extension for each in documents() for extension in each.extensions}
    owned = [kind["CFBundleTypeName"] for kind in kinds if kind["LSHandlerRank"] == "Owner"]
    assert owned == ["Anaphora project"]
    assert plistlib.loads(macos.ENTITLEMENTS.read_bytes())


def test_the_readme_links_to_the_installers() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    linked = re.findall(r"\(\.\./\.\./releases/latest/download/(.+?)\)", readme)
    assert {*linked} == {*installer_names().values()}
