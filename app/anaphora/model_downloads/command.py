"""The command `anaphora models`: what is installed and offered, getting, importing and removing models."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from anaphora.command_line.arguments import write_out
from anaphora.core.errors import AnaphoraError, Message
from anaphora.core.language_pair import LanguagePair
from anaphora.model_downloads.catalogue import ListError, Offer, best_for
from anaphora.model_downloads.control import Control, Stage, Step
from anaphora.model_downloads.getting import ModelGetter
from anaphora.model_downloads.licences import licence_of
from anaphora.model_downloads.snapshot import Lists
from anaphora.model_downloads.sources.registry import SOURCES
from anaphora.model_downloads.transport import Transport
from anaphora.models.files import (
    free_folder,
    installed_models,
    prefer_model,
    preferred_model,
    remove_model,
)
from anaphora.shipped import offered_models
from anaphora.store.locations import model_lists_folder, models_folder
from anaphora_nmt.errors import AnaphoraNmtError, LanguageNeededError
from anaphora_nmt.types import EngineInfo, ModelToInstall

_WORDS = {
    Stage.ASKING: "asking",
    Stage.UNPACKING: "checking and unpacking",
    Stage.INSTALLING: "trying it out",
}


def models(arguments: Sequence[str], transport: Transport | None = None) -> int:
    """Run the command; returns the exit status.

    Args:
        transport: instead of one that allows https only.
    """
    options = _parser().parse_args(arguments)
    lists = Lists(model_lists_folder(), offered_models(), SOURCES)
    command = _Command(lists, models_folder(), transport or Transport())
    try:
        return int(getattr(command, options.action.replace("import", "take_in"))(options) or 0)
    except KeyboardInterrupt:
        print("\nanaphora: stopped.", file=sys.stderr)
        return 130
    except LanguageNeededError as problem:
        sides = " ".join(f"--{side} LANGUAGE" for side in problem.sides)
        print(f"\nanaphora: {problem}\nSay {sides}.", file=sys.stderr)
    except (AnaphoraError, AnaphoraNmtError) as problem:
        print(f"\nanaphora: {problem}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="anaphora models", description="Models on this computer, and getting others."
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="list | get | import | remove")
    listing = actions.add_parser("list", help="what is installed, and what is offered (as known here)")
    listing.add_argument(
        "--refresh", action="store_true", help="ask the sources first: this connects to them"
    )
    getting = actions.add_parser("get", help="download and install a model")
    getting.add_argument(
        "model", metavar="MODEL", help="a pair (zh-en: the best one is taken), or a name from the list"
    )
    getting.add_argument("--accept", default="", metavar="LICENCE", help="a licence that forbids paid work")
    importing = actions.add_parser("import", help="install a model from a folder or an archive")
    importing.add_argument("path", type=Path, metavar="PATH")
    for each in (getting, importing):
        each.add_argument("--source", default="", metavar="LANGUAGE", help="of a model of several languages")
        each.add_argument("--target", default="", metavar="LANGUAGE")
        each.add_argument("--for-new", action="store_true", help="new projects of its languages use it")
    actions.add_parser("remove", help="remove an installed model").add_argument("name", metavar="NAME")
    return parser


def _say(*lines: str) -> None:
    write_out("".join(f"{line}\n" for line in lines))


class _Command:
    """The actions by their names."""

    def __init__(self, lists: Lists, folder: Path, transport: Transport) -> None:
        self._lists, self._folder, self._transport = lists, folder, transport

    def list(self, options: argparse.Namespace) -> None:
        """Print what is installed and what is offered."""
        if options.refresh:
            for source in self._lists.sources:
                print(f"asking {source.title}", file=sys.stderr)
                self._lists.refresh(source, self._transport.read_json)
        lines = ["Installed:"]
        default = preferred_model(self._folder)
        for model in installed_models(self._folder):
            mark = "  (new projects)" if default and default.folder == model.folder.name else ""
            size = _megabytes(model.size)
            lines.append(f"  {model.name:40} {model.pair.source}-{model.pair.target}  {size}{mark}")
        lines.append("Offered:")
        lines += [f"  {offer.id:40} {_described(offer)}" for offer in self._lists.read().offers]
        _say(*lines)

    def get(self, options: argparse.Namespace) -> None:
        """Download and install a model."""
        offer = self._find(options.model)
        if not offer.is_complete:
            print(f"asking for size and licence of {offer.id}", file=sys.stderr)
            offer = self._lists.complete(offer, self._transport.read_json)
        licence = licence_of(offer.licence)
        _say(f"{offer.id}: {_described(offer)}, from {offer.host}")
        if licence.for_paid_work is False and options.accept.lower() != offer.licence.lower():
            raise ListError(
                Message("{licence} does not allow paid work.", licence=licence.title),
                Message("If that is right for you, add --accept {name}.", name=offer.licence),
            )
        getter = ModelGetter(self._folder, self._transport, _install)
        got = getter.get(offer, Control(), _Progress(), options.source, options.target)
        self._tell(got.folder, options.for_new)

    def take_in(self, options: argparse.Namespace) -> None:
        """Install a model from a folder or an archive."""
        path: Path = options.path
        name = path.name if path.is_dir() else path.stem
        folder = free_folder(self._folder, name)
        _install(ModelToInstall(path, folder, name, options.source, options.target), lambda size: None)
        self._tell(folder, options.for_new)

    def remove(self, options: argparse.Namespace) -> None:
        """Remove an installed model."""
        found = [
            model
            for model in installed_models(self._folder)
            if options.name in (model.name, model.folder.name)
        ]
        if len(found) != 1:
            raise ListError(
                Message("There is no model {name} here.", name=options.name)
                if not found
                else Message("There are several models {name} here.", name=options.name),
                Message("There are: {names}.", names=", ".join(self._names()) or "–"),
            )
        try:
            remove_model(found[0].folder)
        except OSError as error:
            raise ListError(Message("It cannot be removed ({reason}).", reason=error.strerror)) from error
        _say(f"{found[0].name} is removed.")

    def _tell(self, folder: Path, for_new: bool) -> None:
        model = next(each for each in installed_models(self._folder) if each.folder == folder)
        _say(f"\n{model.name} is installed in {folder}.")
        if for_new:
            prefer_model(self._folder, model)
            _say("New projects of its languages use it.")

    def _names(self) -> tuple[str, ...]:
        return tuple(model.name for model in installed_models(self._folder))

    def _find(self, name: str) -> Offer:
        offers = self._lists.read().offers
        named = next((offer for offer in offers if name in (offer.id, offer.name)), None)
        by_id = next((offer for offer in offers if name == offer.id), None)
        source, _, target = name.partition("-")
        pair = LanguagePair(source, target)
        fitting = [offer for offer in offers if not offer.has_many_languages and offer.pair.is_like(pair)]
        found = by_id or (best_for(offers, pair) if target else None) or named or next(iter(fitting), None)
        if found is None:
            raise ListError(
                Message("No model {name} is offered.", name=name), "See anaphora models list --refresh."
            )
        return found


def _install(wanted: ModelToInstall, progress: Callable[[int], None]) -> EngineInfo:
    from anaphora_nmt.api import install_model

    return install_model(wanted, progress)


def _described(offer: Offer) -> str:
    pair = "many languages" if offer.has_many_languages else f"{offer.pair.source}-{offer.pair.target}"
    size = _megabytes(offer.size) if offer.size else "size: to be asked"
    licence = licence_of(offer.licence).title if offer.licence else "licence: to be asked"
    return ", ".join((pair, size, licence, *(f"{name} {value:g}" for name, value in offer.metrics.items())))


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.0f} MB"


class _Progress:
    """A line of how far it is, on standard error."""

    def __call__(self, step: Step) -> None:
        if step.stage is Stage.DOWNLOADING:
            left = step.seconds_left
            time = f", {left:.0f} s left" if left is not None else ""
            text = f"{_megabytes(step.done)} of {_megabytes(step.total)}{time}"
        else:
            text = _WORDS[step.stage]
        width = shutil.get_terminal_size().columns - 1
        print(f"\r{text:{min(width, 60)}}", end="", file=sys.stderr, flush=True)
