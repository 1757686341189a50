"""The input files of `anaphora check`, from files and folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from anaphora.cli.batch.plan import plan
from anaphora.core.errors import Message
from anaphora.core.language_pair import LanguagePair
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import bilingual_extensions
from anaphora.system.locations import PROJECT_SUFFIX

Input = tuple[Path, Path | None]
"""(bilingual file or project, None), or a document and its translation."""


def inputs(paths: Sequence[Path], translation: Path | None, pair: LanguagePair) -> list[Input]:
    """The files to check, in the order of the paths and of the names in folders.

    Args:
        paths: files, and folders with bilingual files and projects.
        translation: the translation of a single path: a file for a file, or a folder with the same names for
            a folder, as written by `anaphora translate FOLDER -o OUT`.
    Raises:
        FormatError: only one of the two is a folder, there are several paths, or no file is found.
    """
    if translation is None:
        found: list[Input] = [(path, None) for named in paths for path in _with_translations(named)]
    elif len(paths) != 1:
        raise FormatError(Message("--translation needs a single FILE."), "Check them one at a time.")
    elif paths[0].is_dir() and translation.is_dir():
        return _beside(paths[0], translation, pair)
    elif paths[0].is_dir() or translation.is_dir():
        raise FormatError(
            Message("Only one of “{path}” and “{other}” is a folder.", path=paths[0], other=translation),
            "Specify two files or two folders.",
        )
    else:
        return [(paths[0], translation)]
    if not found:
        raise FormatError(
            Message("“{path}” contains no bilingual file and no project.", path=paths[0]),
            "For documents, also specify the folder of their translations: --translation OUT",
        )
    return found


def _with_translations(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for each in sorted(path.rglob("*")):
        hidden = any(part.startswith(".") for part in each.relative_to(path).parts)
        if not hidden and each.suffix.lower() in {*bilingual_extensions(), PROJECT_SUFFIX} and each.is_file():
            yield each


def _beside(folder: Path, translations: Path, pair: LanguagePair) -> list[Input]:
    jobs = sorted(plan([folder], translations, pair).jobs, key=lambda job: job.name)
    return [
        _input_of(job.source, job.destination)
        for job in jobs
        if isinstance(job.source, Path) and isinstance(job.destination, Path)
    ]


def _input_of(source: Path, translation: Path) -> Input:
    """The input for a document and its translation; a bilingual translation contains its source."""
    is_bilingual = source.suffix.lower() in bilingual_extensions()
    return (translation, None) if is_bilingual else (source, translation)
