"""The command `anaphora models`: lists, downloads, imports and removes models."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from anaphora.cli.arguments import report_cancelled, write_out
from anaphora.core.errors import AnaphoraError, Message
from anaphora.core.language_pair import LanguagePair
from anaphora.engine.model_files import (
    installed_models,
    prefer_model,
    preferred_model,
    remove_model,
    unused_folder,
)
from anaphora.features.downloads import mozilla
from anaphora.features.downloads.catalogue import ListError, OfferedModel, best_for, read_list
from anaphora.features.downloads.getting import Stage, Step, get_model
from anaphora.features.downloads.transport import Control, Transport
from anaphora.system.locations import models_folder, offered_models
from anaphora_nmt.errors import AnaphoraNmtError, LanguageNeededError
from anaphora_nmt.types import ModelToInstall

_STAGE_TEXTS = {Stage.CONNECTING: "connecting", Stage.INSTALLING: "testing"}


def models(arguments: Sequence[str], transport: Transport | None = None) -> int:
    """Run the command; returns the exit status. The default `transport` allows only https."""
    options = _parser().parse_args(arguments)
    command = _Command(read_list(offered_models()), models_folder(), transport or Transport())
    try:
        return int(getattr(command, options.action.replace("import", "import_model"))(options) or 0)
    except KeyboardInterrupt:
        return report_cancelled()
    except LanguageNeededError as problem:
        sides = " ".join(f"--{side} LANGUAGE" for side in problem.sides)
        print(f"\nanaphora: {problem}\nSpecify {sides}.", file=sys.stderr)
    except (AnaphoraError, AnaphoraNmtError) as problem:
        print(f"\nanaphora: {problem}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="anaphora models", description="Manage translation models.")
    actions = parser.add_subparsers(dest="action", required=True, metavar="list | get | import | remove")
    actions.add_parser("list", help="list installed and available models")
    getting = actions.add_parser("get", help="download and install a model")
    getting.add_argument(
        "model", metavar="MODEL", help="language pair (zh-en gets the best model) or name of a listed model"
    )
    importing = actions.add_parser("import", help="install a model from a folder or an archive")
    importing.add_argument("path", type=Path, metavar="PATH", help="folder or archive")
    several = "{} language, required for a model with several languages"
    importing.add_argument("--source", default="", metavar="LANGUAGE", help=several.format("source"))
    importing.add_argument("--target", default="", metavar="LANGUAGE", help=several.format("target"))
    for each in (getting, importing):
        each.add_argument("--for-new", action="store_true", help="use the model for new documents")
    actions.add_parser("remove", help="remove an installed model").add_argument("name", metavar="NAME")
    return parser


def _say(*lines: str) -> None:
    write_out("".join(f"{line}\n" for line in lines))


class _Command:
    def __init__(self, offers: Sequence[OfferedModel], folder: Path, transport: Transport) -> None:
        self._offers, self._folder, self._transport = offers, folder, transport

    def list(self, options: argparse.Namespace) -> None:
        lines = ["Installed:"]
        default = preferred_model(self._folder)
        for model in installed_models(self._folder):
            mark = "  (new projects)" if default and default.folder == model.folder.name else ""
            size = _megabytes(model.size)
            lines.append(f"  {model.name:40} {model.pair.source}-{model.pair.target}  {size}{mark}")
        lines.append("Available:")
        lines += [f"  {offer.name:40} {_described(offer)}" for offer in self._offers]
        _say(*lines)

    def get(self, options: argparse.Namespace) -> None:
        offer = self._find(options.model)
        _say(f"{offer.title}: {_described(offer)}, from {mozilla.host_of(offer)}")
        folder = get_model(offer, self._folder, self._transport, Control(), _show)
        self._report(folder, options.for_new)

    def import_model(self, options: argparse.Namespace) -> None:
        from anaphora_nmt.api import install_model

        path: Path = options.path
        name = path.name if path.is_dir() else path.stem
        folder = unused_folder(self._folder, name)
        install_model(ModelToInstall(path, folder, name, options.source, options.target))
        self._report(folder, options.for_new)

    def remove(self, options: argparse.Namespace) -> None:
        models = installed_models(self._folder)
        matching = [model for model in models if options.name in (model.name, model.folder.name)]
        if len(matching) != 1:
            raise ListError(
                Message("The model {name} is not installed.", name=options.name)
                if not matching
                else Message("Several models named {name} are installed.", name=options.name),
                Message("Installed: {names}.", names=", ".join(model.name for model in models) or "–"),
            )
        try:
            remove_model(matching[0].folder)
        except OSError as error:
            raise ListError(Message("The removal failed ({reason}).", reason=error.strerror)) from error
        _say(f"{matching[0].name} was removed.")

    def _report(self, folder: Path, for_new: bool) -> None:
        model = next(each for each in installed_models(self._folder) if each.folder == folder)
        _say(f"\n{model.name} is installed in {folder}.")
        if for_new:
            prefer_model(self._folder, model)
            _say("New projects in its languages will use it.")

    def _find(self, name: str) -> OfferedModel:
        exact_match = next((offer for offer in self._offers if offer.name == name), None)
        source, _, target = name.partition("-")
        chosen = exact_match or best_for(self._offers, LanguagePair(source, target))
        if chosen is None:
            raise ListError(
                Message("No model named {name} is available.", name=name),
                "Run “anaphora models list” to see all models.",
            )
        return chosen


def _described(offer: OfferedModel) -> str:
    pair = f"{offer.pair.source}-{offer.pair.target}"
    size = _megabytes(offer.size) if offer.size else "size unknown"
    metrics = (f"{name} {value:g}" for name, value in offer.metrics.items())
    return ", ".join((pair, size, mozilla.LICENCE, *metrics))


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.0f} MB"


def _show(step: Step) -> None:
    text = _STAGE_TEXTS.get(step.stage, "")
    if step.stage is Stage.DOWNLOADING:
        text = f"{_megabytes(step.done)} of {_megabytes(step.total)}"
    width = shutil.get_terminal_size().columns - 1
    print(f"\r{text:{min(width, 60)}}", end="", file=sys.stderr, flush=True)
