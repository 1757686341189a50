"""What a desktop is told of the program: valid, and true of the formats and commands that there are."""

from __future__ import annotations

import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from anaphora.formats.registry import FORMATS
from anaphora.model_downloads.command import _parser as models_parser
from anaphora_nmt.cli import _COMMANDS

LINUX = Path(__file__).parents[2] / "packaging" / "linux"
_OOXML = "application/vnd.openxmlformats-officedocument."
TYPES = {
    ".txt": "text/plain",
    ".text": "text/plain",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".docx": _OOXML + "wordprocessingml.document",
    ".dotx": _OOXML + "wordprocessingml.template",
    ".docm": "application/vnd.ms-word.document.macroEnabled.12",
    ".dotm": "application/vnd.ms-word.template.macroEnabled.12",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".ott": "application/vnd.oasis.opendocument.text-template",
    ".pptx": _OOXML + "presentationml.presentation",
    ".ppsx": _OOXML + "presentationml.slideshow",
    ".potx": _OOXML + "presentationml.template",
    ".pptm": "application/vnd.ms-powerpoint.presentation.macroEnabled.12",
    ".ppsm": "application/vnd.ms-powerpoint.slideshow.macroEnabled.12",
    ".potm": "application/vnd.ms-powerpoint.template.macroEnabled.12",
    ".xlsx": _OOXML + "spreadsheetml.sheet",
    ".xltx": _OOXML + "spreadsheetml.template",
    ".xlsm": "application/vnd.ms-excel.sheet.macroEnabled.12",
    ".xltm": "application/vnd.ms-excel.template.macroEnabled.12",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".epub": "application/epub+zip",
    ".po": "text/x-gettext-translation",
    ".pot": "text/x-gettext-translation-template",
    ".srt": "application/x-subrip",
    ".ass": "text/x-ssa",
    ".ssa": "text/x-ssa",
    ".xlf": "application/xliff+xml",
    ".xliff": "application/xliff+xml",
    ".sdlxliff": "application/x-sdlxliff+xml",
    ".mqxliff": "application/x-mqxliff+xml",
    ".tmx": "application/x-tmx+xml",
    ".arb": "application/x-arb+json",
    ".json": "application/json",
    ".properties": "application/x-java-properties",
    ".resw": "application/x-resx+xml",
    ".resx": "application/x-resx+xml",
    ".strings": "application/x-apple-strings",
    ".stringsdict": "application/x-apple-stringsdict+xml",
    ".ts": "text/vnd.trolltech.linguist",
    ".vtt": "text/vtt",
    ".xcstrings": "application/x-xcstrings+json",
    ".xml": "application/xml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".anaphora": "application/x-anaphora-project",
}


def desktop_types() -> set[str]:
    text = (LINUX / "anaphora.desktop").read_text("utf-8")
    (line,) = re.findall(r"^MimeType=(.+);$", text, re.MULTILINE)
    return {*line.split(";")}


def test_every_format_can_be_opened_with_it() -> None:
    extensions = {extension for each in FORMATS for extension in each.extensions} | {".anaphora"}
    assert extensions == {*TYPES}
    assert desktop_types() == {*TYPES.values()}


def test_types_that_desktops_do_not_know_are_described() -> None:
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    root = ElementTree.parse(LINUX / "anaphora-mime.xml").getroot()
    described = {
        each.get("type"): {glob.get("pattern") for glob in each.iter(f"{space}glob")}
        for each in root.iter(f"{space}mime-type")
    }
    for kind, patterns in described.items():
        assert patterns == {f"*{extension}" for extension, each in TYPES.items() if each == kind}
    assert {kind for kind in TYPES.values() if "x-anaphora" in kind or "liff" in kind or "tmx" in kind} <= {
        *described
    }


@pytest.mark.parametrize(
    ("program", "command"),
    [
        ("desktop-file-validate", ["anaphora.desktop"]),
        ("appstreamcli", ["validate", "--no-net", "anaphora.metainfo.xml"]),
        ("bash", ["-n", "completion.bash"]),
    ],
)
def test_the_validators_have_nothing_to_say(program: str, command: list[str]) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not there")
    done = subprocess.run([program, *command], cwd=LINUX, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert program == "appstreamcli" or not done.stdout + done.stderr


@pytest.mark.parametrize("page", ["anaphora.1", "anaphora-nmt.1"])
def test_the_manual_pages_can_be_read(page: str) -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is not there")
    command = ["groff", "-man", "-Tutf8", "-ww", page]
    done = subprocess.run(command, cwd=LINUX, capture_output=True, text=True, check=True)
    assert not done.stderr


def test_the_manual_pages_name_all_commands() -> None:
    page = (LINUX / "anaphora-nmt.1").read_text("utf-8").replace("\\-", "-")
    assert {*_COMMANDS} == {*re.findall(r"^\.TP\n\.B ([\w-]+)$", page, re.MULTILINE)}
    page = (LINUX / "anaphora.1").read_text("utf-8")
    usage = models_parser().format_usage()
    assert all(action in page and action in usage for action in ("list", "get", "import", "remove"))
    completion = (LINUX / "completion.bash").read_text("utf-8")
    assert all(name in completion for name in _COMMANDS)
