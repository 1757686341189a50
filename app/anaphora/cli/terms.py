"""The command `anaphora terms`, which lists recurring names and terms. It does not load the engine."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from anaphora.cli.arguments import check_output_folder, note_conversions, report_cancelled, write_out
from anaphora.core.errors import AnaphoraError
from anaphora.core.table_text import as_table
from anaphora.features.terms.first_sight import Candidate, propose
from anaphora.features.terms.word_book import open_word_book
from anaphora.project.importing.collecting import read_document
from anaphora.project.store.terms.table import TermBase, TermFile
from anaphora.system.locations import glossary, known_names, shared_terms_path

_EPILOG = """\
FILE is a Chinese document. The table suggests English translations of its recurring names and terms. The
column "target" is empty if there is no suggestion. The column "sure" marks rows whose suggestion (the first
one, if there are several) is probably right. Correct the table and use it with "anaphora translate FILE
--terms TABLE".

Exit status: 0, success; 1, FILE could not be read or OUT not written; 130, cancelled.
"""


def terms(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="anaphora terms",
        description="List recurring names and terms of a document with suggested translations.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="Chinese document")
    parser.add_argument("--sure", action="store_true", help="only rows that are probably right")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="OUT", help="output file; default: standard output"
    )
    options = parser.parse_args(arguments)
    check_output_folder(parser, options.output)
    file, output = options.file, options.output
    if output is not None and output.exists() and file.exists() and output.samefile(file):
        parser.error(f"OUT ({output}) must not be FILE itself")
    note_conversions([options.file])
    try:
        candidates = [each for each in _candidates(options.file) if each.is_sure or not options.sure]
        text = _as_table(candidates)
    except KeyboardInterrupt:
        return report_cancelled()
    except (AnaphoraError, OSError) as problem:
        print(f"anaphora: {problem}", file=sys.stderr)
        return 1
    return 0 if write_out(text, options.output) else 1


def _candidates(file: Path) -> tuple[Candidate, ...]:
    known: set[str] = set()
    if shared_terms_path().exists():
        base = TermFile.open(shared_terms_path())
        known = {entry.source for entry in TermBase("", base).entries()}
        base.close()
    book = open_word_book(glossary("zh", "en"), known_names("zh", "en"))
    return propose(read_document(file, language="zh").segments, book, known)


def _as_table(candidates: Sequence[Candidate]) -> str:
    rows: list[Sequence[object]] = [("source", "target", "kind", "count", "sure", "other renderings")]
    for each in candidates:
        first, *alternatives = each.renderings or ("",)
        sure = "yes" if each.is_sure else "no"
        rows.append((each.text, first, each.kind.value, each.count, sure, "; ".join(alternatives)))
    return as_table(rows)
