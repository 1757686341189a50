"""The documents of files and folders to translate, and their destinations."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePath, PurePosixPath

from PySide6.QtCore import QCoreApplication

from anaphora.cli.storage import Place, Stored
from anaphora.core.errors import ExportError, Message
from anaphora.core.language_pair import LanguagePair
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import supported_extensions
from anaphora.project.importing.collecting import GENERATED_FOLDERS, LeftOut, collect, unique_names

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Job:
    """A document to translate.

    Attributes:
        name: the document's relative path in the input folder and in the output folder, with slashes.
        size: size of the source in bytes.
        digest: SHA-256 of the source's content; in a storage, the file's version mark; for an unreadable
            file, the reason why it cannot be read.
    """

    name: str
    source: Place
    destination: Place
    size: int
    digest: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The documents of a run, and the files that it leaves out.

    Attributes:
        jobs: documents to translate, the largest first, so that all processes end at about the same time.
        left_out: (name, reason) of files that cannot be translated.
        unsupported: number of files of unsupported types.
    """

    jobs: tuple[Job, ...]
    left_out: LeftOut = ()
    unsupported: int = 0


def plan(
    inputs: Sequence[Place],
    out: Place,
    pair: LanguagePair,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> Plan:
    """Find the documents to translate.

    Args:
        inputs: local files and folders, or a single file or folder in a storage. Hidden and generated files
            inside the folders are skipped.
        out: the output folder; the files in it are never inputs.
        include: patterns of `Job.name`, such as "*.docx" or "drafts/*"; if empty, all documents are included.
        exclude: patterns of documents to leave out.
    Raises:
        FormatError: an input does not exist or cannot be read.
        ExportError: the output folder is an input, or a stored input would be overwritten.
        StorageError: a storage cannot be reached.
    """
    local = [path for path in inputs if isinstance(path, Path)]
    if len(local) < len(inputs) and len(inputs) > 1:
        raise FormatError(
            Message("Only one folder in remote storage can be translated at a time."),
            "Run the command once for each folder.",
        )
    for path in inputs:
        _check_input(path, out)
    jobs, left_out, other_count = _find_local(local, out, pair) if local else _find_stored(inputs[0], out)
    chosen = [
        job
        for job in jobs
        if (not include or any(fnmatch(job.name, pattern) for pattern in include))
        and not any(fnmatch(job.name, pattern) for pattern in exclude)
    ]
    chosen.sort(key=lambda job: (-job.size, job.name))
    return Plan(tuple(chosen), left_out, other_count)


def _check_input(path: Place, out: Place) -> None:
    if not path.exists():
        raise FormatError(
            Message("“{path}” does not exist.", path=path),
            "It may have been moved or renamed.",
        )
    is_same = path == out or (isinstance(path, Stored) and path == out / path.name)
    if isinstance(path, Path) and isinstance(out, Path):
        is_same = out.exists() and out.samefile(path)
    if is_same:
        raise ExportError(
            Message("“{destination}” is the source to translate.", destination=out),
            "Choose another folder for the translations.",
        )


def _find_local(inputs: Sequence[Path], out: Place, pair: LanguagePair) -> tuple[list[Job], LeftOut, int]:
    """The documents, the files left out, and the number of files of unsupported types."""
    collected = collect(inputs, pair=pair, max_documents=None)
    out_path = out.resolve() if isinstance(out, Path) else None
    # Unlike `Path.resolve`, `realpath` raises no error for a link that points to itself.
    outputs = {path for path, _ in collected.files if out_path in Path(os.path.realpath(path)).parents}
    jobs = [_job(path, name, out) for path, name in collected.files if path not in outputs]
    return jobs, collected.left_out, collected.other_count


def _find_stored(root: Place, out: Place) -> tuple[list[Job], LeftOut, int]:
    """As `_find_local`, for a folder or file in a storage."""
    assert isinstance(root, Stored)
    if not root.is_dir():
        size, mark = root.version()
        return [Job(root.name, root, out / root.name, size, mark)], (), 0
    names: list[tuple[str, str]] = []
    left_out: list[tuple[str, str]] = []
    files, other_count = root.files(), 0
    for name in sorted(files):
        *folders, file = name.split("/")
        is_skipped = any(each.startswith((".", "~")) or each in GENERATED_FOLDERS for each in folders)
        if is_skipped or file.startswith((".", "~")) or str(root / name).startswith(f"{out}/"):
            continue
        if PurePosixPath(file).suffix.lower() not in supported_extensions():
            other_count += 1
        elif PurePath(name).parts != (*folders, file):  # such as "/etc/passwd", outside `out`
            left_out.append((name, translate("Import", "This name cannot be used for a file.")))
        else:
            names.append((name, name))
    unique = unique_names(names) if isinstance(out, Path) else names  # storages distinguish A.txt and a.txt
    jobs = [Job(new_name, root / name, out / new_name, *files[name]) for name, new_name in unique]
    return jobs, tuple(left_out), other_count


def _job(path: Path, name: str, out: Place) -> Job:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except OSError as error:
        # The translating process reports the error.
        return Job(name, path, out / name, 0, f"unreadable: {error.strerror}")
    return Job(name, path, out / name, size, digest)
