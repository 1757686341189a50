"""Writing the translated document. `write_export` runs off the window's thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from anaphora.core.document import Document
from anaphora.core.segment import Status
from anaphora.formats.export import export, translations_of
from anaphora.store.project import ProjectStore


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """What would be exported.

    Attributes:
        segments: of the document.
        translated: those with a target.
        confirmed: those that a human confirmed.
    """

    segments: int
    translated: int
    confirmed: int


def default_destination(original: Path, language: str = "en") -> Path:
    """`report.docx` becomes `report.en.docx` in the same folder; `guide.zh.md` becomes `guide.en.md`."""
    stem = original.stem
    for ending in (".zh", ".zh-cn", ".zh_cn", ".cn"):
        if stem.lower().endswith(ending):
            stem = stem[: -len(ending)]
            break
    return original.with_name(f"{stem}.{language}{original.suffix}")


def summarise(document: Document) -> ExportSummary:
    """Count what an export would hold."""
    translated = sum(bool(segment.target.strip()) for segment in document)
    confirmed = sum(segment.status is Status.CONFIRMED for segment in document)
    return ExportSummary(len(document), translated, confirmed)


def snapshot(document: Document) -> dict[str, str]:
    """The target texts as they are now, for `write_export`."""
    return translations_of(document)


def write_export(store: ProjectStore, translations: Mapping[str, str], destination: Path) -> Path:
    """Write the translated document in its original format.

    Raises:
        FormatError: the original in the project cannot be read.
        ExportError: the destination cannot be written.
    """
    export(store.original(), store.info.format, translations, destination)
    return destination
