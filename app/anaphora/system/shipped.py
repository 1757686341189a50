"""Files that come with the app: the model, dictionaries, the sample document, the guide, the icon."""

from __future__ import annotations

import os.path
from importlib import metadata
from importlib.resources import files
from pathlib import Path

import platformdirs

RESOURCES = Path(str(files("anaphora_resources")))


def version() -> str:
    try:
        return metadata.version("anaphora")
    except metadata.PackageNotFoundError:
        return "unknown"


def default_model() -> Path:
    """The folder of the model that comes with the app."""
    return RESOURCES / "models" / "zh-en"


def offered_models() -> Path:
    """The list of the models that could be downloaded when this version was made."""
    return RESOURCES / "models" / "offered.json"


def used_words() -> Path:
    """The words in the shipped model's training text, compressed, one per line."""
    return default_model() / "words.txt.gz"


def dictionaries() -> Path:
    return RESOURCES / "dictionaries"


def glossary(source: str, target: str) -> Path | None:
    """The shipped dictionary from one language into another, or None."""
    return dictionaries() / "zh-en.tsv.gz" if (source, target) == ("zh", "en") else None


def known_names(source: str, target: str) -> Path | None:
    """The table of well-known names from one language into another, or None."""
    return default_model() / "names.tsv" if (source, target) == ("zh", "en") else None


def sample_document() -> Path:
    return RESOURCES / "samples" / "sample.zh.md"


def users_folder(*proposed: Path) -> Path:
    """The first existing folder that is not the app's own; by default the user's documents folder."""
    known = (*proposed, platformdirs.user_documents_path())
    existing = filter(os.path.isdir, known)
    return next((folder for folder in existing if folder != sample_document().parent), Path.home())


def guide(language: str) -> Path:
    """The folder with the pages of the user's guide; `language` is the interface's locale name."""
    return RESOURCES / "guide" / language


def icon() -> Path:
    return RESOURCES / "icons" / "anaphora.svg"
