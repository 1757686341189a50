"""The files of installed models. Imports neither Qt nor torch."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from pathlib import Path

from anaphora.core.installed_model import ChosenModel, InstalledModel, ModelText
from anaphora.core.language_pair import LanguagePair
from anaphora.system.files import write_atomically
from anaphora.system.locations import safe_name

CARD = "anaphora.json"
"""Name of the file that describes a model in its folder."""
ARCHIVES = (".zip", ".argosmodel")
_TEXT_PREFIXES = ("licence", "license", "copying", "card", "readme", "notice")
"""File name prefixes of texts about an installed model, in order of preference."""
_OWN_TEXT_PREFIXES = ("card", "licence")
"""File name prefixes of the description of the app's own model, and of its licences."""
_MAX_TEXT_BYTES, _MAX_CARD_BYTES = 64_000, 1 << 20
_MODEL_FILES = re.compile(
    r"(^|/)(model\.bin|model\.safetensors|pytorch_model\.bin|[^/]+\.npz|[^/]*intgemm[^/]*\.bin|[^/]+\.spm)$"
)
"""File names of weights and vocabularies."""
_UNSAFE = re.compile(r"[^\w\-.]+")
_MAX_LISTED = 5000
"""Maximum number of file names that are checked in a folder or an archive."""
_PREFERRED = "new-projects.json"
"""Name of the file that stores the model for new projects."""


def installed_models(folder: Path) -> tuple[InstalledModel, ...]:
    folders = [path for path in folder.glob("*") if (path / CARD).is_file()] if folder.is_dir() else []
    return tuple(sorted(map(_described, folders), key=lambda model: model.name.casefold()))


def own_model(folder: Path) -> InstalledModel:
    """The app's own model (shipped, or named on the command line) in a folder, which may lack a card."""
    if (folder / CARD).is_file():
        return _described(folder)
    size = sum(path.stat().st_size for path in folder.glob("*") if path.is_file())
    texts = tuple(text for prefix in _OWN_TEXT_PREFIXES for text in _texts_of(folder, prefix)[:1])
    return InstalledModel(folder, folder.name, "Anaphora", LanguagePair(), size, texts)


def looks_like_model(path: Path) -> bool:
    """True for an archive or folder (three levels deep) with a model's file, or a broken .argosmodel."""
    if path.is_dir():
        depths = ("*", "*/*", "*/*/*")
        names = (inner.as_posix() for depth in depths for inner in path.glob(depth))
        return any(_MODEL_FILES.search(name) for _, name in zip(range(_MAX_LISTED), names, strict=False))
    if path.suffix.lower() not in ARCHIVES:
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return any(_MODEL_FILES.search(name) for name in archive.namelist()[:_MAX_LISTED])
    except (zipfile.BadZipFile, OSError):
        return path.suffix.lower() == ".argosmodel"


def unused_folder(folder: Path, name: str) -> Path:
    stem = safe_name(_UNSAFE.sub("_", name)[:60].strip("."), "model")
    path, number = folder / stem, 2
    while path.exists():
        path, number = folder / f"{stem}-{number}", number + 1
    return path


def preferred_model(folder: Path) -> ChosenModel | None:
    """The model for new projects; None for the app's own, for example if the chosen one was removed."""
    try:
        chosen = ChosenModel.from_text((folder / _PREFERRED).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    is_installed = bool(chosen.folder) and (folder / Path(chosen.folder).name / CARD).is_file()
    return chosen if is_installed else None


def prefer_model(folder: Path, model: InstalledModel | None) -> None:
    """Store the model for new projects (None: the app's own); raises OSError or ExportError on failure."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = ChosenModel() if model is None else ChosenModel.of(model)
    write_atomically(chosen.to_text().encode("utf-8"), folder / _PREFERRED)


def remove_model(folder: Path) -> None:
    """Delete a folder if it contains an installed model; raises OSError on failure."""
    if (folder / CARD).is_file():
        shutil.rmtree(folder)


def _described(folder: Path) -> InstalledModel:
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    try:
        with (folder / CARD).open("rb") as file:
            values = json.loads(file.read(_MAX_CARD_BYTES))
        pair = LanguagePair(str(values["languages"]["source"]), str(values["languages"]["target"]))
        kind = str(values.get("kind", ""))
        return InstalledModel(folder, str(values["name"]), kind, pair, size, _first_text(folder))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return InstalledModel(folder, folder.name, "", LanguagePair("", ""), size)


def _first_text(folder: Path) -> tuple[ModelText, ...]:
    return tuple(text for prefix in _TEXT_PREFIXES for text in _texts_of(folder, prefix))[:1]


def _texts_of(folder: Path, prefix: str) -> list[ModelText]:
    texts = []
    for path in sorted(folder.glob("*")):
        if path.is_file() and path.name.lower().startswith(prefix):
            with path.open("rb") as file:
                text = file.read(_MAX_TEXT_BYTES).decode("utf-8", "replace") + ("…" if file.read(1) else "")
            texts.append(ModelText(text, path.suffix.lower() == ".md"))
    return texts
