"""`anaphora-nmt translate`: plain text, one segment a line, an empty line between documents."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand."""
    parser.add_argument("input", type=Path, nargs="?", help="UTF-8 text; standard input without it")
    parser.add_argument("-o", "--output", type=Path, help="standard output without it")
    parser.add_argument("--model", type=Path, help="model folder; the embedded one without it")
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"))
    parser.add_argument("--threads", type=int)
    parser.add_argument("--no-memory", action="store_true", help="translate each segment by itself")


def run(arguments: argparse.Namespace) -> int:
    """Translate every document with its memory."""
    from anaphora_nmt.api import Translator
    from anaphora_nmt.commands.shared.embedded_model import embedded_model
    from anaphora_nmt.errors import CorpusError
    from anaphora_nmt.types import SearchOptions

    try:
        text = arguments.input.read_text("utf-8") if arguments.input else sys.stdin.read()
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"{arguments.input} cannot be read as UTF-8 text: {error}") from error
    documents = [part.split("\n") for part in text.strip("\n").split("\n\n")]
    translator = Translator.load(arguments.model or embedded_model(), arguments.device, arguments.threads)
    options = SearchOptions(arguments.beam)
    if arguments.no_memory:
        options = replace(options, memories=None)
    drafts = translator.corpus().translate(documents, options)
    result = "\n\n".join("\n".join(document) for document in drafts) + "\n"
    if arguments.output:
        arguments.output.write_text(result, "utf-8")
    else:
        sys.stdout.write(result)
    return 0
