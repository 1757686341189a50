"""The app's folders and files."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from pathlib import Path

import platformdirs

from anaphora.system.file_names import safe_name

PROJECT_SUFFIX = ".anaphora"
MOST_OF_NAME = 20
"""Characters of a project's name in the names of its copies, which also contain a time."""
_UNSAFE = re.compile(r"[^\w\-.]+")
_KEY = re.compile(r"-[0-9a-f]{16}$")
"""The end of the name of a document's autosaved project or of a folder of backups."""


def data_folder() -> Path:
    """The app's folder in the user's data directory (`ANAPHORA_DATA` overrides it). Not created here."""
    chosen = os.environ.get("ANAPHORA_DATA")
    return Path(chosen) if chosen else platformdirs.user_data_path("anaphora", appauthor=False)


def make_data_folder() -> None:
    """Create the data folder, for its owner only.

    A folder that the user has chosen keeps its permissions.
    """
    with contextlib.suppress(OSError):  # later writes report the problem
        data_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        if "ANAPHORA_DATA" not in os.environ:
            data_folder().chmod(0o700)  # the command line may have created it


def autosave_path(source: Path, sha256: str) -> Path:
    """The path of a source file's autosaved project, which depends on its path and content.

    Args:
        sha256: its checksum (`SourceDocument.sha256`).
    """
    key = hashlib.sha256(f"{source.absolute()}\n{sha256}".encode("utf-8", "surrogateescape")).hexdigest()
    stem = _stem(source.stem) or "document"
    return data_folder() / "projects" / f"{stem}-{key[:16]}{PROJECT_SUFFIX}"


def project_path(name: str) -> Path:
    """An unused path in the data folder for a new project of this name."""
    stem = safe_name(_stem(name), "project")
    place = data_folder() / "projects"
    path, number = place / f"{stem}{PROJECT_SUFFIX}", 2
    while path.exists():
        path, number = place / f"{stem}-{number}{PROJECT_SUFFIX}", number + 1
    return path


def project_name(project: Path) -> str:
    """The title of a named project; empty for a document's autosaved project."""
    return "" if _KEY.search(project.stem) else project.stem


def backup_subject(backup: Path) -> str:
    """The beginning of the name of a backup's project, for display."""
    return _KEY.sub("", _KEY.sub("", backup.parent.name))


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
    """The beginning of a name with safe characters, before a key or a number."""
    return _UNSAFE.sub("_", name.encode("utf-8", "replace").decode())[:40]
