"""The box that says what Anaphora is made with."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from anaphora.views.dialogs.about import LIBRARIES, version_of

PROJECT = Path(__file__).parents[4] / "pyproject.toml"


def test_it_names_what_the_product_installs_and_nothing_else() -> None:
    dependencies = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["dependencies"]
    installed = [re.split(r"[<>=!~]", dependency)[0].lower() for dependency in dependencies]
    assert sorted(package.lower() for _, _, package in LIBRARIES) == sorted(installed)
    assert all(version_of(package) for _, _, package in LIBRARIES)
