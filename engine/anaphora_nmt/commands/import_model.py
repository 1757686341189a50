"""`anaphora-nmt import`: a model of another toolkit, copied into a folder that the other commands load."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", type=Path, help="folder, zip archive or .argosmodel")
    parser.add_argument(
        "-o", "--out", type=Path, help="folder to make; without it, one of the model's name here"
    )
    parser.add_argument("--name", default="", help="what the model is called; without it, as the file")
    parser.add_argument("--source", default="", help="source language, of a model that knows several")
    parser.add_argument("--target", default="", help="target language, of a model that knows several")


def run(arguments: argparse.Namespace) -> int:
    from anaphora_nmt.imported.kinds import find_model
    from anaphora_nmt.imported.languages import Languages
    from anaphora_nmt.imported.loading import import_model

    path: Path = arguments.path
    folder = arguments.out or Path(path.stem if path.is_file() else path.resolve().name + "-imported")
    languages = Languages(arguments.source, arguments.target)
    bundle = import_model(path, folder, arguments.name, languages)
    kind, files = find_model(folder)
    size = sum(files.path(name).stat().st_size for name in files.names())
    source, target = (language or "?" for language in bundle.languages)
    print(f"{bundle.name}: {kind.value}, {source} → {target}, {size / 1e6:.1f} MB, in {folder}")
    return 0
