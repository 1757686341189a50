"""The command `anaphora translate`, for a file or all documents in folders."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from anaphora.cli.arguments import (
    at_least_one,
    check_output_folder,
    columns,
    note_conversions,
    placeholder,
    report_cancelled,
    write_out,
)
from anaphora.cli.batch.plan import Job
from anaphora.cli.batch.translating import translating
from anaphora.cli.finding_formats import one_line
from anaphora.cli.outcome import Outcome
from anaphora.cli.storage import Place, place_of
from anaphora.cli.translate_all import prepare_run, translate_all
from anaphora.core.drafts import Proposals
from anaphora.core.errors import AnaphoraError
from anaphora.formats.bilingual.csv_table import FORMAT as TABLE
from anaphora.project.translated_names import default_destination
from anaphora.system.locations import with_ending
from anaphora_nmt.errors import AnaphoraNmtError

_EPILOG = """\
For one file, OUT is a file. Without -o, the target language is added to the name of the input.
For a folder or several inputs, OUT is a folder with the same names and subfolders. Inputs and OUT can be in
storage that fsspec supports (s3://BUCKET/FOLDER, hdfs://…). Documents do not affect each other. With
--resume, only missing and changed documents are translated. Ctrl+C leaves only complete files.

Exit status: 0, all translated; 1, not all documents could be translated; 130, cancelled.
"""


def translate(arguments: Sequence[str]) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if len(options.input) == 1 and isinstance(options.input[0], Path) and not options.input[0].is_dir():
        for name in ("include", "exclude", "jobs", "resume", "report", "ray"):
            if getattr(options, name):
                parser.error(f"--{name} needs a folder or several inputs")
        if options.columns and options.input[0].suffix.lower() not in TABLE.extensions:
            parser.error("--columns needs a table (.csv, .tsv)")
        try:
            return _translate_one(options)
        except KeyboardInterrupt:
            return report_cancelled()
    if options.columns:
        parser.error("--columns needs a single table")
    if options.output is None:
        parser.error("for a folder or several inputs, specify a folder with -o OUT")
    check_output_folder(parser, options.report, options.output if isinstance(options.output, Path) else None)
    return translate_all(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="anaphora translate",
        description="Translate a document, or all documents in folders.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("input", type=place_of, nargs="+", help="files and folders")
    parser.add_argument(
        "-o", "--output", type=place_of, default=None, metavar="OUT", help="output file or folder"
    )
    _add_resources(parser)
    parser.add_argument("--model", type=Path, default=None, help="model folder")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto", help="compute device")
    parser.add_argument(
        "--threads", type=at_least_one, default=None, help="cores for one document; default: all"
    )
    parser.add_argument(
        "--pseudo",
        action="store_true",
        help="test the file: replace its text with longer, accented text in brackets",
    )
    parser.add_argument(
        "--proposals",
        type=Proposals,
        choices=[*Proposals],
        default=Proposals.SOURCE,
        help="tentative drafts (probably too poor to edit): keep the source, leave the translation "
        "empty or write the drafts; default: source",
    )
    _add_reading(parser)
    _add_folders(parser.add_argument_group("folders"))
    return parser


def _add_resources(parser: argparse.ArgumentParser) -> None:
    for option, subject in (
        ("--memory", "translation memory: TMX, bilingual file or project"),
        ("--terms", "term base: TBX or CSV"),
        ("--pack", "memory pack, used like confirmed segments"),
    ):
        text = f"{subject}; repeatable"
        parser.add_argument(option, type=Path, action="append", default=[], metavar="FILE", help=text)


def _add_reading(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--columns",
        type=columns,
        default=None,
        metavar="COLUMNS",
        help="columns of a table: 2:3 (translate column 2 into column 3) or 2,4 (replace both); "
        "the first row counts as column names and is not translated",
    )
    parser.add_argument(
        "--placeholder",
        type=placeholder,
        action="append",
        default=[],
        metavar="PATTERN",
        help="regular expression for text that is not translated; repeatable",
    )
    parser.add_argument(
        "--keep-language",
        action="store_true",
        help="do not set the file's language to that of the translation",
    )


def _add_folders(folders: argparse._ArgumentGroup) -> None:
    folders.add_argument(
        "--include", action="append", default=[], metavar="PATTERN", help="include only names like '*.docx'"
    )
    folders.add_argument(
        "--exclude", action="append", default=[], metavar="PATTERN", help="exclude names like 'drafts/*'"
    )
    folders.add_argument(
        "--jobs", type=at_least_one, default=None, metavar="N", help="processes; default: one per core"
    )
    folders.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="use Ray: auto (the cluster of this machine), HOST:PORT (another cluster) or local (this "
        "machine alone)",
    )
    folders.add_argument("--resume", action="store_true", help="continue an earlier run in OUT")
    folders.add_argument("--report", type=Path, default=None, metavar="FILE", help="write a report as JSON")


def _translate_one(options: argparse.Namespace) -> int:
    def report_progress(done: int, total: int) -> None:
        print(f"\r{done}/{total}", end="" if done < total else "\n", file=sys.stderr, flush=True)

    source: Path = options.input[0]
    note_conversions([source.name])
    options.threads = options.threads or os.cpu_count()
    try:
        with tempfile.TemporaryDirectory() as folder:
            settings, load = prepare_run(options, Path(folder), is_alone=True)
            default = default_destination(source, settings.pair)
            if options.pseudo:
                default = source.with_name(with_ending(source.stem, f".pseudo{default.suffix}"))
            output: Place = options.output or default
            with translating(settings, load, report_progress) as translate_job:
                outcome = translate_job(Job(source.name, source, output, 0, ""))
    except (AnaphoraError, AnaphoraNmtError) as problem:
        print(f"anaphora: {problem}", file=sys.stderr)
        return 1
    if not outcome.is_done:
        print(f"anaphora: {outcome.error}", file=sys.stderr)
        return 1
    _report(outcome, options.proposals)
    action = "pseudo-translated" if options.pseudo else "translated"
    unwritten = 0 if options.proposals is Proposals.WRITE else len(outcome.proposed)
    translated_count = outcome.translated + outcome.remembered - unwritten
    write_out(f"{output}: {translated_count} of {outcome.segments} segments {action}\n")
    return 0


def _report(outcome: Outcome, proposals: Proposals) -> None:
    for note in outcome.notes:
        print(f"note: {one_line(note)}", file=sys.stderr)
    for number, warning in outcome.findings:
        print(f"segment {number}: {one_line(warning)}", file=sys.stderr)
    for numbers, description in (
        (outcome.proposed, f"probably too poor to edit (--proposals {proposals})"),
        (outcome.doubtful, "of low confidence"),
    ):
        if numbers:
            count = f"{len(numbers)} of {outcome.translated} drafts are {description}"
            print(f"{count}: {' '.join(map(str, numbers))}", file=sys.stderr)
    if outcome.remembered:
        print(f"segments from the translation memory: {outcome.remembered}", file=sys.stderr)
