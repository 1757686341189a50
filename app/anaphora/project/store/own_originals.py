"""The originals that the app may watch, because the user has chosen or allowed them.

A project from another person may name any file on this computer, or on the network, as an original. So the
data folder contains a list of the documents that the user has opened, by path and checksum. A document stays
on the list if the project is moved, copied, or sent and returned. A project cannot add documents to the list.

The list also records the files of each project, to find the project of a moved or copied original.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import quote, unquote

from anaphora.core.document import SourceDocument
from anaphora.core.project import DocumentInfo
from anaphora.system.files import locked_file
from anaphora.system.locations import data_folder

log = logging.getLogger(__name__)

_YES, _NO, _FILE_MARK = "+", "-", "="
"""The first character of a line: its file may be watched, must not be watched, or belongs to a project."""
_ENCODING_ERRORS = "surrogateescape"
RecordedFile = tuple[str, str]
"""The path and the checksum of a file that a project contains or contained."""


def remember(documents: Iterable[DocumentInfo | SourceDocument], may_watch: bool = True) -> None:
    """Record the user's decision whether the files of documents may be watched.

    If the list cannot be written, the failure is logged, and the app asks the user again later.
    """
    known = _answers()
    keys = [_key(document.path, document.sha256) for document in documents if document.path]
    _append(f"{_YES if may_watch else _NO}{key}" for key in keys if known.get(key) is not may_watch)


def own_ids(documents: Iterable[DocumentInfo]) -> frozenset[str]:
    known = _answers()
    return frozenset(document.id for document in documents if known.get(_key(document.path, document.sha256)))


def are_own(files: Iterable[RecordedFile]) -> bool:
    known = _answers()
    return all(known.get(_key(*each)) for each in files)


def undecided(documents: Iterable[DocumentInfo]) -> tuple[DocumentInfo, ...]:
    """Documents with an absolute path for which the user has not decided whether the file may be watched."""
    known = _answers()
    with_paths = (each for each in documents if Path(each.path).is_absolute())
    return tuple(each for each in with_paths if _key(each.path, each.sha256) not in known)


def record_files(projects: Mapping[Path, Iterable[RecordedFile]]) -> None:
    rows = {
        " ".join(quote(part, errors=_ENCODING_ERRORS) for part in (str(project), *recorded))
        for project, files in projects.items()
        for recorded in files
    }
    _append(_FILE_MARK + row for row in rows.difference(_recorded_rows()))


def projects_with(files: Mapping[Path, str]) -> dict[Path, list[RecordedFile]]:
    """All recorded files of each project that has at least one of `files` according to `shared_paths`."""
    by_project: dict[Path, list[RecordedFile]] = {}
    for row in _recorded_rows():
        name, path, sha256 = (unquote(part, errors=_ENCODING_ERRORS) for part in row.split(" "))
        by_project.setdefault(Path(name), []).append((path, sha256))
    return {project: recorded for project, recorded in by_project.items() if shared_paths(recorded, files)}


def shared_paths(recorded: Iterable[RecordedFile], files: Mapping[Path, str]) -> list[str]:
    """The recorded paths of those files of a project whose path or checksum is in `files`."""
    paths, contents = {*map(str, files)}, {*files.values()} - {""}
    return [path for path, sha256 in recorded if path in paths or sha256 in contents]


def _answers() -> dict[str, bool]:
    return {line[1:]: line[0] == _YES for line in _lines() if line[0] in (_YES, _NO)}


def _recorded_rows() -> list[str]:
    return [line[1:] for line in _lines() if line[0] == _FILE_MARK and line.count(" ") == 2]


def _lines() -> list[str]:
    try:
        return [line for line in _file().read_text("ascii", "replace").splitlines() if line]
    except FileNotFoundError:
        return []
    except OSError as error:
        log.warning("the list of the user's own files cannot be read: %s", error)
        return []


def _append(lines: Iterable[str]) -> None:
    try:
        if text := "".join(f"{line}\n" for line in dict.fromkeys(lines)):
            with locked_file(_file()), _file().open("a", encoding="ascii", newline="\n") as file:
                file.write(text)
    except OSError as error:
        log.warning("the list of the user's own files cannot be written: %s", error)


def _key(path: object, sha256: str) -> str:
    return hashlib.sha256(f"{path}\n{sha256}".encode("utf-8", "replace")).hexdigest()[:32]


def _file() -> Path:
    return data_folder() / "own-originals.list"
