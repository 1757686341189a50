"""The program's desktop files are valid and consistent with the formats and commands."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import SimpleNamespace

import pytest
from installers.documents import documents, mime_database
from installers.linux import metainfo, put_desktop_files
from installers.paths import ROOT, version

from anaphora.formats import registry
from anaphora.formats.registry import FORMATS
from anaphora_nmt.cli import _COMMANDS as ENGINE

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
