"""Paths, version and releases of the project, and the installers' file names."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
SVG = ROOT / "resources" / "anaphora_resources" / "icons" / "anaphora.svg"
CHANGES = PACKAGING / "CHANGELOG.md"

for _part in ("app", "engine", "resources"):
    # This tree takes precedence over packages that are installed in the environment.
    sys.path.insert(0, str(ROOT / _part))


def version() -> str:
    match = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert match is not None
    return match[1]


def releases() -> list[tuple[str, str]]:
    """(version, date) of each release in the changelog, newest first."""
    return re.findall(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)$", CHANGES.read_text("utf-8"), re.MULTILINE)


def installer_names() -> dict[str, str]:
    """The installers' file names by kind. They have no version, so that links lead to the latest release."""
    return {
        "deb": "anaphora-linux-amd64.deb",
        "appimage": "anaphora-linux-x86_64.AppImage",
        "windows": "anaphora-windows-x64.exe",
        "macos": "anaphora-macos-arm64.dmg",
    }
