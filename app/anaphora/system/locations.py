"""Paths of the app's files and of the files that come with it, and file names that all systems accept."""

from __future__ import annotations

import contextlib
import hashlib
import os
import os.path
import re
from importlib import metadata
from importlib.resources import files
from pathlib import Path, PurePosixPath

import platformdirs

MAX_NAME_BYTES = 240
"""Maximum length of a file name in bytes; systems allow 255, but a project's log and copies add endings."""
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"|?*/\\]')
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?: *\.|\Z)", re.IGNORECASE)
"""The names of devices in Windows, which cannot be file names, not even with a suffix."""


def safe_name(name: str, default: str = "document") -> str:
    """A file name for every system; `default` if only dots, spaces and underscores would remain."""
    text = _UNSAFE.sub("_", name.encode("utf-8", "replace").decode()).rstrip(" .")
    if not text.strip("_ ."):
        return default
    if _DEVICES.match(text):
        text = f"_{text}"
    return _cut(text)


def safe_path(name: str) -> Path:
    """A safe relative path for `name`, in which "/" separates folders; a backslash is part of a name."""
    parts = [part for part in PurePosixPath(name).parts if part.strip("/ .")]
    return Path(*(safe_name(part, "document") for part in parts)) if parts else Path("document")


def with_home(path: Path) -> Path:
    """Replace a first part "~" by the home folder. `Path.expanduser` fails for Word's "~$letter.docx"."""
    return Path.home().joinpath(*path.parts[1:]) if path.parts[:1] == ("~",) else path


def with_ending(stem: str, ending: str) -> str:
    """A file name with an ending. A long stem is cut, and a checksum keeps the name unique."""
    encoded, room = os.fsencode(stem), MAX_NAME_BYTES - len(os.fsencode(ending))
    if len(encoded) <= room:
        return stem + ending
    key = f"-{hashlib.sha256(encoded).hexdigest()[:8]}"
    return encoded[: room - len(key)].decode("utf-8", "ignore") + key + ending


def _cut(name: str) -> str:
    if len(os.fsencode(name)) <= MAX_NAME_BYTES:
        return name
    suffix = Path(name).suffix
    if len(suffix.encode()) > 20:
        suffix = ""
    stem = name.encode()[: MAX_NAME_BYTES - len(suffix.encode())]
    return stem.decode("utf-8", "ignore").rstrip(" .") + suffix


PROJECT_SUFFIX = ".anaphora"
MAX_NAME_IN_COPY = 20
"""Maximum length of a project's name in the file name of its copy, which also contains a time."""
_UNSAFE_IN_STEM = re.compile(r"[^\w\-.]+")
_CHECKSUM = re.compile(r"-[0-9a-f]{16}$")
"""The checksum at the end of the name of an autosaved project or a folder of backups."""


def data_folder() -> Path:
    """The app's folder in the user's data directory, or the folder `ANAPHORA_DATA`. It may not exist yet."""
    chosen = os.environ.get("ANAPHORA_DATA")
    return Path(chosen) if chosen else platformdirs.user_data_path("anaphora", appauthor=False)


def make_data_folder() -> None:
    """Create the data folder for its owner only. An existing `ANAPHORA_DATA` folder keeps its permissions."""
    with contextlib.suppress(OSError):  # later writes report the problem
        data_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        if "ANAPHORA_DATA" not in os.environ:
            data_folder().chmod(0o700)  # the command line may have created it


def autosave_path(source: Path, sha256: str) -> Path:
    """The path of a file's autosaved project; `sha256` is the checksum of the file's content."""
    key = hashlib.sha256(f"{source.absolute()}\n{sha256}".encode("utf-8", "surrogateescape")).hexdigest()
    stem = _stem(source.stem) or "document"
    return data_folder() / "projects" / f"{stem}-{key[:16]}{PROJECT_SUFFIX}"


def project_path(name: str) -> Path:
    """An unused path in the data folder for a new project of this name."""
    stem = safe_name(_stem(name), "project")
    folder = data_folder() / "projects"
    path, number = folder / f"{stem}{PROJECT_SUFFIX}", 2
    while path.exists():
        path, number = folder / f"{stem}-{number}{PROJECT_SUFFIX}", number + 1
    return path


def project_name(project: Path) -> str:
    """The title of a named project; empty for a document's autosaved project."""
    return "" if _CHECKSUM.search(project.stem) else project.stem


def backup_subject(backup: Path) -> str:
    """The name, for display, of the project or document that was backed up; a long name was cut."""
    return _CHECKSUM.sub("", _CHECKSUM.sub("", backup.parent.name))


def backup_folder(project: Path) -> Path:
    key = hashlib.sha256(str(project.absolute()).encode("utf-8", "surrogateescape")).hexdigest()
    stem = _stem(project.stem)
    return data_folder() / "backups" / f"{stem}-{key[:16]}"


def log_path() -> Path:
    return data_folder() / "log" / "log.jsonl"


def shared_memory_path() -> Path:
    return data_folder() / "translation-memory.sqlite"


def models_folder() -> Path:
    return data_folder() / "models"


def shared_terms_path() -> Path:
    return data_folder() / "term-base.sqlite"


def own_words_path() -> Path:
    return data_folder() / "dictionary.txt"


def shared_corrections_path() -> Path:
    return data_folder() / "corrections.json"


def _stem(name: str) -> str:
    return _UNSAFE_IN_STEM.sub("_", name.encode("utf-8", "replace").decode())[:40]


RESOURCES = Path(str(files("anaphora_resources")))


def version() -> str:
    try:
        return metadata.version("anaphora")
    except metadata.PackageNotFoundError:
        return "unknown"


def default_model() -> Path:
    return RESOURCES / "models" / "zh-en"


def offered_models() -> Path:
    return RESOURCES / "models" / "offered.json"


def training_words() -> Path:
    """The compressed file with the words of the shipped model's training text, one per line."""
    return default_model() / "words.txt.gz"


def dictionaries() -> Path:
    return RESOURCES / "dictionaries"


def glossary(source: str, target: str) -> Path | None:
    return dictionaries() / "zh-en.tsv.gz" if (source, target) == ("zh", "en") else None


def known_names(source: str, target: str) -> Path | None:
    """The file of well-known names in the source language with their target names, or None."""
    return default_model() / "names.tsv" if (source, target) == ("zh", "en") else None


def sample_document() -> Path:
    return RESOURCES / "samples" / "sample.zh.md"


def folder_for_dialog(*proposed: Path) -> Path:
    """The first existing folder among `proposed` and the documents, or the home; never the sample's."""
    candidates = (*proposed, platformdirs.user_documents_path())
    existing = filter(os.path.isdir, candidates)
    return next((folder for folder in existing if folder != sample_document().parent), Path.home())


def guide(language: str) -> Path:
    """The folder with the pages of the user's guide; `language` is the interface's locale name."""
    return RESOURCES / "guide" / language


def icon() -> Path:
    return RESOURCES / "icons" / "anaphora.svg"
