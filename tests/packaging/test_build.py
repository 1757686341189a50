"""What `packaging/build.py` puts into packages, without running PyInstaller, dpkg-deb and similar tools."""

from __future__ import annotations

import gzip
import os
import plistlib
import re
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import SimpleNamespace

import pytest
from installers import linux, macos, windows
from installers.documents import documents, mime_database
from installers.folder import command, prune, put_licences, size
from installers.linux import metainfo, put_desktop_files
from installers.paths import ROOT, installer_names, version
from installers.pictures import SIZES, draw_icon_file
from PySide6.QtGui import QImage

from anaphora.formats import registry
from anaphora.formats.registry import FORMATS
from anaphora_nmt.cli import _COMMANDS as ENGINE


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
    windows.write_included_files(tmp_path)
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
    macos.complete_info_plist(application)
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


SYSTEM = Path("/usr/share")


REPOSITORY = "https://github.com/OWNER/anaphora"


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The desktop files in the package."""
    usr = tmp_path_factory.mktemp("usr")
    put_desktop_files(usr, REPOSITORY)
    return usr / "share"


def desktop_types(share: Path) -> set[str]:
    text = (share / "applications" / "anaphora.desktop").read_text("utf-8")
    (line,) = re.findall(r"^MimeType=(.+);$", text, re.MULTILINE)
    return {*line.split(";")}


def test_desktops_offer_to_open_every_format(share: Path) -> None:
    extensions = {extension for each in FORMATS for extension in each.extensions} | {".anaphora"}
    kinds = documents()
    assert {extension for each in kinds for extension in each.extensions} == extensions
    assert {each.media_type for each in kinds} <= desktop_types(share)
    metainfo = ElementTree.parse(share / "metainfo" / "org.anaphora.Anaphora.metainfo.xml").getroot()
    assert {each.text for each in metainfo.iter("mediatype")} == {each.media_type for each in kinds}


def test_a_format_without_a_media_type_uses_its_label(monkeypatch) -> None:
    """So a new format needs only a module and a line in the registry."""
    added = SimpleNamespace(name="lists", label="Numbered list", extensions=(".lst",))
    monkeypatch.setattr(registry, "FORMATS", (*FORMATS, added))
    (kind,) = [each for each in documents() if each.extensions == (".lst",)]
    assert (kind.media_type, kind.name) == ("application/x-anaphora-lst", "Numbered list")
    described = mime_database([kind])
    assert 'type="application/x-anaphora-lst"' in described and 'pattern="*.lst"' in described


@pytest.mark.skipif(not (SYSTEM / "mime" / "packages").is_dir(), reason="needs shared-mime-info")
def test_desktops_recognise_files_by_name(share: Path) -> None:
    """Uses Qt's MIME database with the system's and our files."""
    program = (
        "import sys\n"
        "from PySide6.QtCore import QMimeDatabase\n"
        "database = QMimeDatabase()\n"
        "by_name = QMimeDatabase.MatchMode.MatchExtension\n"
        "for extension in sys.argv[1:]:\n"
        "    print(extension, database.mimeTypeForFile('a' + extension, by_name).name())\n"
    )
    # `.text` is recognised only by content, and `.pot` is also a PowerPoint template.
    extensions = [
        extension
        for each in documents()
        for extension in each.extensions
        if extension not in (".text", ".pot")
    ]
    environment = {**os.environ, "XDG_DATA_DIRS": f"{share}:{SYSTEM}", "XDG_DATA_HOME": str(share)}
    command = [sys.executable, "-c", program, *extensions]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found = dict(line.split() for line in done.stdout.splitlines())
    offered = {kind.lower() for kind in desktop_types(share)}
    assert {extension: kind for extension, kind in found.items() if kind.lower() not in offered} == {}


def test_types_that_desktops_do_not_know_are_described(share: Path) -> None:
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    root = ElementTree.parse(share / "mime" / "packages" / "anaphora.xml").getroot()
    described = {
        each.get("type"): tuple(glob.get("pattern", "")[1:] for glob in each.iter(f"{space}glob"))
        for each in root.iter(f"{space}mime-type")
    }
    own = {each.media_type: each.extensions for each in documents() if each.media_type in described}
    assert described == own and "application/x-tmx+xml" in own


def test_software_centres_get_existing_pictures_and_all_versions(share: Path) -> None:
    root = ElementTree.parse(share / "metainfo" / "org.anaphora.Anaphora.metainfo.xml").getroot()
    begin = f"{REPOSITORY}/raw/v{version()}/"
    pictures = [each.text or "" for each in root.iter("image")]
    assert len(pictures) >= 3
    assert all(each.startswith(begin) and (ROOT / each.removeprefix(begin)).is_file() for each in pictures)
    assert next(each.get("version") for each in root.iter("release")) == version()
    assert not list(ElementTree.fromstring(metainfo(documents(), "")).iter("image"))


@pytest.mark.parametrize(
    ("program", "command"),
    [
        ("desktop-file-validate", ["applications/anaphora.desktop"]),
        ("appstreamcli", ["validate", "--no-net", "metainfo/org.anaphora.Anaphora.metainfo.xml"]),
    ],
)
def test_the_validators_report_nothing(share: Path, program: str, command: list[str]) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    done = subprocess.run([program, *command], cwd=share, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert program == "appstreamcli" or not done.stdout + done.stderr


@pytest.mark.parametrize("program", ["anaphora", "anaphora-nmt"])
def test_the_manual_pages_are_valid_and_list_all_commands(share: Path, program: str) -> None:
    page = gzip.decompress((share / "man" / "man1" / f"{program}.1.gz").read_bytes()).decode()
    described = {name.replace("\\", "") for name in re.findall(r"^\.B ([a-z\\-]+)$", page, re.MULTILINE)}
    commands = {"anaphora": {"translate", "check", "models"}, "anaphora-nmt": {*ENGINE}}
    assert commands[program] <= described
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
