"""The command `anaphora translate`: a file, or all documents of folders, without a window."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora.command_line.arguments import (
    add_language,
    at_least_one,
    cancelled,
    columns,
    placeholder,
    refuse_lost_file,
    say_conversions,
    write_out,
)
from anaphora.command_line.batch.storage import Place, at_hand, place_of
from anaphora.shipped import default_model, glossary

if TYPE_CHECKING:
    from anaphora.command_line.file_report import FileReport

_EPILOG = """\
One file: OUT is a file; without -o the language stands before its suffix. A folder, or several inputs: OUT
is a folder, which gets the same names in the same subfolders; either may be in a storage that fsspec reaches
(s3://BUCKET/FOLDER, hdfs://…). Each document is translated in a memory of its
own. The folder keeps what is done: with --resume only what is missing, or has changed, is translated. Ctrl+C
leaves whole files only.

Exit status: 0; 1, something could not be translated (the rest is); 130, cancelled. With --check: 0, no
issues; 1, there are some; 2, something could not be checked (the rest is).
"""


def translate(arguments: Sequence[str]) -> int:
    """Translate, and say how it went; returns the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.pseudo and options.projects:
        parser.error("--projects goes with translations, not with --pseudo")
    if options.check:
        _refuse_with_check(parser, options)
    if len(options.input) == 1 and isinstance(options.input[0], Path) and not options.input[0].is_dir():
        for name in ("include", "exclude", "jobs", "resume", "report", "check", "ray"):
            if getattr(options, name):
                parser.error(f"--{name} goes with a folder or several inputs")
        if options.columns and not _is_table(options.input[0]):
            parser.error("--columns goes with a table (.csv, .tsv)")
        try:
            return _translate_one(options)
        except KeyboardInterrupt:
            return cancelled()
    if options.columns:
        parser.error("--columns goes with one table")
    if options.output is None:
        parser.error("a folder or several inputs need -o OUT, a folder")
    refuse_lost_file(parser, options.report, options.output if isinstance(options.output, Path) else None)
    from anaphora.command_line.translate_all import translate_all

    return translate_all(options)


def _refuse_with_check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    for name in ("pseudo", "projects", "resume", "memory", "pack", "columns", "placeholder", "keep_language"):
        if getattr(options, name):
            parser.error(f"--{name.replace('_', '-')} goes with translations, not with --check")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="anaphora translate",
        description="Translate a document, or all documents of folders.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("input", type=place_of, nargs="+", help="files and folders")
    parser.add_argument(
        "-o", "--output", type=place_of, default=None, metavar="OUT", help="where to write to"
    )
    _add_help(parser)
    parser.add_argument(
        "--projects",
        action="store_true",
        help="write a project beside each translation, to go on with in the window",
    )
    parser.add_argument("--model", type=Path, default=None)
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument(
        "--threads", type=at_least_one, default=None, help="cores for one document; default: all of them"
    )
    parser.add_argument(
        "--pseudo",
        action="store_true",
        help="no translation, but what the file looks like with one: accents, brackets, a third more text",
    )
    _add_reading(parser)
    _add_folders(parser.add_argument_group("folders"))
    return parser


def _add_help(parser: argparse.ArgumentParser) -> None:
    for option, what in (
        ("--memory", "a translation memory: TMX, a bilingual document, a project"),
        ("--terms", "a term base: TBX, CSV"),
        ("--pack", "a memory pack, which drafts follow like confirmed segments"),
    ):
        said = f"{what}; several times for several"
        parser.add_argument(option, type=Path, action="append", default=[], metavar="FILE", help=said)


def _add_reading(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--columns",
        type=columns,
        default=None,
        metavar="COLUMNS",
        help="of a table: 2:3 (the second is translated into the third) or 2,4 (in their places); "
        "the first row names the columns",
    )
    parser.add_argument(
        "--placeholder",
        type=placeholder,
        action="append",
        default=[],
        metavar="PATTERN",
        help="a regular expression: what it matches stays as it is; several times for several",
    )
    parser.add_argument(
        "--keep-language",
        action="store_true",
        help="leave what the file says of its language, instead of naming the translation's",
    )


def _add_folders(folders: argparse._ArgumentGroup) -> None:
    folders.add_argument(
        "--check",
        action="store_true",
        help="no translation: check those that OUT holds, and print what is found as `anaphora check` does",
    )
    folders.add_argument(
        "--include", action="append", default=[], metavar="PATTERN", help="only names such as '*.docx'"
    )
    folders.add_argument(
        "--exclude", action="append", default=[], metavar="PATTERN", help="not names such as 'drafts/*'"
    )
    folders.add_argument(
        "--jobs", type=at_least_one, default=None, metavar="N", help="processes; default: one for each core"
    )
    folders.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="by the machines of a Ray cluster: auto (that of this machine), HOST:PORT, or local",
    )
    folders.add_argument("--resume", action="store_true", help="go on with what OUT holds of an earlier run")
    folders.add_argument("--report", type=Path, default=None, metavar="FILE", help="write a report as JSON")
    folders.add_argument(
        "--progress",
        choices=("text", "json"),
        default="text",
        help="json: on standard error a line for each document, for programs; default: text",
    )
    add_language(folders, "en")


def _is_table(path: Path) -> bool:
    from anaphora.formats.bilingual.csv_table import FORMAT

    return path.suffix.lower() in FORMAT.extensions


def _translate_one(options: argparse.Namespace) -> int:
    from anaphora.command_line.headless import pseudo_translate_file, translate_file
    from anaphora.command_line.headless_help import help_of
    from anaphora.command_line.translated_project import NewProject, project_beside
    from anaphora.core.errors import AnaphoraError
    from anaphora.core.language_pair import LanguagePair
    from anaphora.core.reading_choices import ReadingChoices
    from anaphora.export.writing import default_destination
    from anaphora_nmt.errors import AnaphoraNmtError

    def report_progress(done: int, total: int) -> None:
        print(f"\r{done}/{total}", end="", file=sys.stderr, flush=True)

    choices = ReadingChoices(options.columns, tuple(options.placeholder))
    say_conversions([options.input[0].name])

    def made(source: Path) -> tuple[Place, FileReport]:
        if options.pseudo:
            named = source.with_name(f"{source.stem}.pseudo{default_destination(source).suffix}")
            output = options.output or named
            with at_hand((), (output,)) as (destination,):
                report = pseudo_translate_file(
                    source, destination, names_language=not options.keep_language, choices=choices
                )
            return output, report
        from anaphora_nmt.api import Translator

        model = options.model or default_model()
        translator = Translator.load(model, options.device, options.threads or os.cpu_count())
        pair = LanguagePair(translator.info.source_language, translator.info.target_language)
        output = options.output or default_destination(source, pair)
        dictionary = glossary(pair.source_language.code, pair.target_language.code)
        beside = [project_beside(output)] if options.projects else []
        with (
            help_of(options.memory, options.terms, pair, dictionary, options.pack) as found,
            at_hand(beside, (output, *beside)) as (*kept, destination),
        ):
            project = NewProject(kept[0], pair, model, found.chosen) if kept else None
            report = translate_file(
                source,
                destination,
                translator,
                progress=report_progress,
                pair=pair,
                given=found,
                names_language=not options.keep_language,
                choices=choices,
                project=project,
            )
        print(file=sys.stderr)
        return output, report

    try:
        output, report = made(options.input[0])
    except (AnaphoraError, AnaphoraNmtError) as problem:
        print(f"anaphora: {problem}", file=sys.stderr)
        return 1
    _tell(report)
    done = report.translated - report.left_out + report.remembered
    how = "pseudo-translated" if options.pseudo else "translated"
    write_out(f"{output}: {done} of {report.segments} segments {how}\n")
    return 0


def _tell(report: FileReport) -> None:
    """What a reader should know of a translation, on standard error."""
    from anaphora.command_line.finding_formats import one_line

    for note in report.notes:
        print(f"note: {one_line(note)}", file=sys.stderr)
    for number, warning in report.warnings:
        print(f"check {number}: {one_line(warning)}", file=sys.stderr)
    if report.unlike:
        print("This document is unlike what the model was trained on: expect weak drafts.", file=sys.stderr)
    if report.proposed:
        segments = " ".join(map(str, report.proposed))
        count = f"{len(report.proposed)} of {report.translated} drafts are likely to be worse than none"
        where = "only proposed, so left untranslated" if report.left_out else "in the window only proposed"
        print(f"{count} ({where}): {segments}", file=sys.stderr)
    if report.doubtful:
        segments = " ".join(map(str, report.doubtful))
        count = f"{len(report.doubtful)} of {report.translated} drafts are doubtful"
        print(f"{count}: {segments}", file=sys.stderr)
    if report.hinted:
        print(f"poor, and made again with words of the dictionary: {report.hinted}", file=sys.stderr)
    if report.remembered:
        print(f"from the translation memory: {report.remembered}", file=sys.stderr)
