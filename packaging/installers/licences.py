"""The licences of what an installer brings along, as their packages state them."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from installers.place import ROOT

_TEXT = re.compile(r"(licen[cs]e|copying|notice|authors)[^/]*$", re.IGNORECASE)


def put_licences(target: Path) -> None:
    """Copy the texts of the licences of all that the program needs, a folder each.

    Where a package brings no text, the name of its licence is written down.
    """
    for each in needed():
        folder = target / each.name.lower()
        folder.mkdir(parents=True, exist_ok=True)
        texts = [path for path in each.files or () if _TEXT.search(str(path)) and ".dist-info" in str(path)]
        for number, path in enumerate(texts):
            source = Path(str(each.locate_file(path)))
            if source.is_file():
                name = source.name if not (folder / source.name).exists() else f"{number}-{source.name}"
                shutil.copyfile(source, folder / name)
        if not any(folder.iterdir()):
            told = _said(each, "License-Expression", "License") or "see its page"
            page = _said(each, "Home-page", "Project-URL")
            (folder / "LICENCE.txt").write_text(f"{each.name} {each.version}: {told}\n{page}\n", "utf-8")


def needed() -> Iterator[Distribution]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    waiting, seen = [*project["dependencies"]], set[str]()
    while waiting:
        requirement = waiting.pop()
        name = _plain(re.split(r"[\s<>=!~;\[(]", requirement)[0])
        if "extra ==" in requirement or name in seen:
            continue
        seen.add(name)
        try:
            found = distribution(name)
        except PackageNotFoundError:  # of another system
            continue
        yield found
        waiting += found.requires or ()


def _said(of: Distribution, *fields: str) -> str:
    return next((of.metadata[field] for field in fields if field in of.metadata), "")


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
