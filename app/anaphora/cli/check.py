"""The command `anaphora check`, for scripts. It loads neither the engine nor a window."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from anaphora.cli.arguments import check_output_folder, note_conversions, report_cancelled, write_out
from anaphora.cli.checked_texts import inputs, read_texts
from anaphora.cli.finding_formats import as_json, as_text, one_line
from anaphora.cli.findings import Finding, find, reference_with
from anaphora.cli.headless_help import help_of
from anaphora.core.errors import AnaphoraError
from anaphora.core.language_pair import LanguagePair
from anaphora.features.checks.registry import CHECK_NAMES, CHECKS, ENGINE
from anaphora.system.interface_language import UiLanguage, install_language
from anaphora.system.messages import describe_error

_LANGUAGES = {"en": UiLanguage.ENGLISH, "zh": UiLanguage.CHINESE, "system": UiLanguage.SYSTEM}
ISSUES, FAILED = 1, 2
"""Exit statuses if issues were found, and if a file could not be checked or the command is wrong."""

_PLACEHOLDER = re.compile(r"…?\{.\}")

_EPILOG = """\
FILE is a bilingual file (PO, XLIFF, SDLXLIFF, MQXLIFF, TMX), a project (.anaphora), or a document with an
Anaphora project. In a folder, all bilingual files and projects are checked.

The issues are those in the "Issues" filter of the window. Terms with several translations and drafts with
low confidence are not issues.

Text output:  FILE:SEGMENT: KIND: MESSAGE
SEGMENT is the number of the segment in the window. For the documents of a project: FILE#DOCUMENT:SEGMENT: …

Exit status: 0, no issues; 1, issues found; 2, not all files could be checked; 130, cancelled.

Kinds, each with a message:

{kinds}
"""


def check(arguments: Sequence[str]) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    check_output_folder(parser, options.output)
    application = QCoreApplication.instance() or QCoreApplication(["anaphora"])
    install_language(application, _LANGUAGES[options.language])
    try:
        findings, failed = _check_all(options)
    except KeyboardInterrupt:
        return report_cancelled()
    listed = as_json(findings) if options.format == "json" else as_text(findings)
    if not write_out(listed, options.output) or failed:
        return FAILED
    return ISSUES if findings else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="anaphora check",
        description="Check translations and print the issues, one per line.",
        epilog=_EPILOG.format(kinds=_kinds_with_messages()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="files and folders")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="OUT", help="output file; default: standard output"
    )
    chosen = parser.add_mutually_exclusive_group()
    names = "names separated by commas"
    chosen.add_argument("--kinds", type=_kinds, metavar="KINDS", help=f"only these kinds: {names}")
    chosen.add_argument("--ignore", type=_kinds, metavar="KINDS", help=f"all kinds except these: {names}")
    parser.add_argument(
        "--terms",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="additional term base (TBX, CSV); repeatable",
    )
    parser.add_argument(
        "--from", dest="source", default="zh", metavar="CODE", help="source language; default: zh"
    )
    parser.add_argument(
        "--to", dest="target", default="en", metavar="CODE", help="target language; default: en"
    )
    parser.add_argument(
        "--language",
        choices=_LANGUAGES,
        default="system",
        help="language of messages; default: %(default)s",
    )
    return parser


def _kinds_with_messages() -> str:
    messages = {check.name: check.message for check in reversed(CHECKS)}
    messages[ENGINE] = "Another issue of a draft."
    return "\n".join(f"  {name:<23}{_PLACEHOLDER.sub('…', messages[name])}" for name in CHECK_NAMES)


def _kinds(text: str) -> frozenset[str]:
    kinds = frozenset(filter(None, (name.strip() for name in text.split(","))))
    if unknown := sorted(kinds - {*CHECK_NAMES}):
        raise argparse.ArgumentTypeError(f"no such kind: {', '.join(unknown)} (see --help)")
    return kinds


def _check_all(options: argparse.Namespace) -> tuple[list[Finding], bool]:
    """The findings of the requested kinds, and True if a file or the reference data could not be read."""

    def localise(text: str) -> str:
        return QCoreApplication.translate("Quality", text)

    pair = LanguagePair(options.source, options.target)
    kinds = {*CHECK_NAMES} - (options.ignore or set()) if options.kinds is None else options.kinds
    findings: list[Finding] = []
    failed = False
    try:
        paths = inputs(options.files)
        with help_of((), options.terms, pair) as help_:
            reference = reference_with(help_)
        note_conversions(path.name for path in paths)
    except AnaphoraError as problem:
        _complain(describe_error(problem))
        return findings, True
    for path in paths:
        try:
            texts = read_texts(path, pair)
            findings_in_file = [each for each in find(texts, reference, localise) if each.kind in kinds]
        except AnaphoraError as problem:
            _complain(f"{path}: {describe_error(problem)}")
            failed = True
            continue
        findings += findings_in_file
        issues = {each.segment for each in findings_in_file}
        summary = f"{len(issues)} of {len(texts.segments)} segments have issues"
        _report(f"{path}: {summary}; {texts.translated_count} are translated")
    return findings, failed


def _report(text: str) -> None:
    print(one_line(text), file=sys.stderr)


def _complain(text: str) -> None:
    _report(f"anaphora: {text}")
