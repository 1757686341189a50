"""What `anaphora translate` is given of an open project: its originals, and what drafts are to follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anaphora.core.errors import AnaphoraError, ExportError, Message
from anaphora.core.file_names import safe_path
from anaphora.core.language_pair import LanguagePair
from anaphora.core.long_work import CancelledError
from anaphora.core.project import DocumentInfo
from anaphora.core.reading_choices import ReadingChoices
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import read
from anaphora.formats.terminology.table import write_table
from anaphora.matches.exchange import export_units
from anaphora.memory.pack_files import SUFFIX, write_pack
from anaphora.reading.segmenters import user_segmenter
from anaphora.store.project import ProjectStore
from anaphora.term_base.entries import Entry, by_source
from anaphora.translation_memory.memory import TranslationMemory
from anaphora_nmt.types import MemoryPack

REPORT = "report.json"
_DOCUMENTS = "documents"


@dataclass(frozen=True, slots=True)
class Given:
    """What a run takes of the open project, as it is when it begins.

    Attributes:
        memory: the project's own; None before it is open.
        entries: of all term bases, the project's first.
        pair: the languages of the model, which are the project's.
        model: its folder.
    """

    store: ProjectStore
    documents: tuple[DocumentInfo, ...]
    memory: TranslationMemory | None
    entries: tuple[Entry, ...]
    packs: tuple[MemoryPack, ...]
    pair: LanguagePair
    model: Path


@dataclass(frozen=True, slots=True)
class Prepared:
    """The arguments of `anaphora translate`, and the names of documents that it cannot translate alike."""

    arguments: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def prepare(given: Given, folder: Path, version: str, is_given_up: Callable[[], bool] = bool) -> Prepared:
    """Write into a folder what the command is to read. Runs off the window's thread.

    Args:
        folder: for nothing else; it is there as long as the command runs.
        version: of the app.
        is_given_up: asked between documents; from then on the project may be closed at any time.
    Raises:
        CancelledError: `is_given_up()` returned True.
        ExportError, ProjectError: the disk is full, or the project's file is gone.
    """
    try:
        return _prepare(given, folder, version, is_given_up)
    except AnaphoraError as error:
        if is_given_up():
            raise CancelledError() from error
        raise


def _prepare(given: Given, folder: Path, version: str, is_given_up: Callable[[], bool]) -> Prepared:
    documents = folder / _DOCUMENTS
    left_out = []
    # Placeholders are mostly the project's, so those of its first document are asked for.
    common = ReadingChoices(placeholders=next((each.choices.placeholders for each in given.documents), ()))
    try:
        documents.mkdir()
        for info in given.documents:
            if is_given_up():
                raise CancelledError()
            path = documents / safe_path(info.name)
            if path.exists():  # each name is one translation
                left_out.append(info.name)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(given.store.original(info.id))
            if not _is_read_alike(path, info, common, given.pair):
                path.unlink()
                left_out.append(info.name)
        arguments = [str(documents), "--model", str(given.model), "--report", str(folder / REPORT)]
        arguments += _memory(given, folder / "memory.tmx", version)
        arguments += _terms(given.entries, folder / "terms.csv")
    except OSError as error:
        raise ExportError(
            Message(
                "“{destination}” could not be written: {reason}.", destination=folder, reason=error.strerror
            ),
            "Make room on the disk of temporary files.",
        ) from error
    arguments += _packs(given.packs, folder)
    arguments += [f"--placeholder={pattern}" for pattern in common.placeholders]
    return Prepared(tuple(arguments), tuple(left_out))


def _is_read_alike(path: Path, info: DocumentInfo, common: ReadingChoices, pair: LanguagePair) -> bool:
    """Whether the command, which reads all documents by the same choices, reads one as the project does."""
    if info.choices == common:
        return True
    try:
        return read(path, user_segmenter(pair.source), choices=common).choices == info.choices
    except FormatError:  # an earlier version read it
        return False


def _memory(given: Given, path: Path, version: str) -> list[str]:
    if given.memory is None or not export_units(path, [given.memory], version, pair=given.pair):
        return []
    return ["--memory", str(path)]


def _terms(entries: Sequence[Entry], path: Path) -> list[str]:
    merged = by_source(entries).values()
    if not merged:
        return []
    with path.open("w", encoding="utf-8", newline="") as file:
        write_table(file, merged)
    return ["--terms", str(path)]


def _packs(packs: Sequence[MemoryPack], folder: Path) -> list[str]:
    arguments = []
    for number, pack in enumerate(packs):
        path = folder / f"{number}{SUFFIX}"
        write_pack(path, pack)
        arguments += ["--pack", str(path)]
    return arguments
