"""`anaphora-nmt translate`: translates text with one segment per line and empty lines between documents."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from anaphora_nmt.errors import ModelFileError

STANDARD = Path("-")


def embedded_model() -> Path:
    """Folder of the embedded default model. ModelFileError if the resources are not installed."""
    try:
        folder = Path(str(files("anaphora_resources"))) / "models" / "zh-en"
    except ModuleNotFoundError as error:
        raise ModelFileError(
            "The embedded model is not installed. Specify a model folder with --model."
        ) from error
    return folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", type=Path, nargs="?", help="UTF-8 text file; default: - (standard input)")
    parser.add_argument("-o", "--output", type=Path, help="output file; default: - (standard output)")
    parser.add_argument("--model", type=Path, help="model folder; default: the embedded model")
    parser.add_argument("--beam", type=int, default=5, help="beam size; default: %(default)s")
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"), help="compute device")
    parser.add_argument("--threads", type=int, help="compute threads; default: half of the cores, at most 4")
    parser.add_argument("--no-memory", action="store_true", help="draft without the document memory")


def run(arguments: argparse.Namespace) -> int:
    from anaphora_nmt.api import Translator
    from anaphora_nmt.types import SearchOptions

    source = arguments.input if arguments.input != STANDARD else None
    output = arguments.output if arguments.output != STANDARD else None
    text = _read(source)
    if output is not None:
        _check_output(output, source)
    documents = [part.split("\n") for part in text.strip("\n").split("\n\n")] if text.strip("\n") else []
    translator = Translator.load(arguments.model or embedded_model(), arguments.device, arguments.threads)
    options = SearchOptions(arguments.beam)
    if arguments.no_memory:
        options = replace(options, memories=None)
    drafts = translator.corpus().translate(documents, options) if documents else []
    result = "\n\n".join("\n".join(document) for document in drafts)
    _write(f"{result}\n" if drafts else "", output)
    return 0


def _read(source: Path | None) -> str:
    from anaphora_nmt.errors import CorpusError

    try:
        # "utf-8-sig" skips a byte order mark.
        return source.read_text("utf-8-sig") if source is not None else sys.stdin.read()
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"{source or 'standard input'} cannot be read as UTF-8 text: {error}") from error


def _check_output(output: Path, source: Path | None) -> None:
    """Raise CorpusError if the output is the input, a folder, or in a folder that does not exist."""
    from anaphora_nmt.errors import CorpusError

    if source is not None and output.exists() and output.samefile(source):
        raise CorpusError(f"{output} is the input; specify another file")
    if output.is_dir():
        raise CorpusError(f"{output} is a folder; specify a file")
    if not output.parent.is_dir():
        raise CorpusError(f"the folder of {output} does not exist")


def _write(result: str, output: Path | None) -> None:
    from anaphora_nmt.errors import CorpusError
    from anaphora_nmt.files import write_atomically

    if output is None:
        try:
            sys.stdout.write(result)
            sys.stdout.flush()
        except BrokenPipeError:
            sys.stdout = None  # type: ignore[assignment]  # the reader has closed the pipe
        return
    try:
        if output.is_file() or not output.exists():
            write_atomically(output.resolve(), result)
        else:  # a named pipe or a device
            output.write_text(result, "utf-8")
    except OSError as error:
        raise CorpusError(f"{output} cannot be written: {error.strerror or error}") from error
