"""The settings of a run, and the loop of a process that translates documents one after the other."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora.cli.batch.plan import Job
from anaphora.cli.headless import translate_file
from anaphora.cli.headless_help import Help, open_help
from anaphora.cli.outcome import FAILED, Outcome
from anaphora.cli.storage import local_files
from anaphora.core.drafts import Proposals
from anaphora.core.errors import AnaphoraError
from anaphora.core.language_pair import LanguagePair
from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices
from anaphora.system.messages import describe_error
from anaphora_nmt.errors import AnaphoraNmtError

if TYPE_CHECKING:
    from anaphora_nmt.api import Translator

Load = Callable[[], "Translator"]
"""Loads a model; called in the process that needs it."""
Progress = Callable[[int, int], None]
"""Called with (segments done, segments to translate)."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run, for all of its processes.

    Attributes:
        model: the model's folder; None for a pseudo-translation.
        help_folder: a folder filled by `import_help`; None to translate without memories, terms and packs.
        help_digests: digests of the files imported into `help_folder`.
    """

    pair: LanguagePair
    model: Path | None
    device: str = "cpu"
    threads: int | None = 1
    help_folder: Path | None = None
    dictionary: Path | None = None
    help_digests: tuple[str, ...] = ()
    names_language: bool = True
    choices: ReadingChoices = AS_SUGGESTED
    proposals: Proposals = Proposals.SOURCE

    @property
    def shares_weights(self) -> bool:
        """True if the processes are forked from a process with the loaded model: on Linux with a CPU."""
        return sys.platform == "linux" and self.device == "cpu"

    def digest(self, version: str) -> str:
        """A digest of the app's `version`, the model, the help and the settings that affect translations."""
        model = None if self.model is None else _digest_of(self.model)
        pair, choices = self.pair, (self.names_language, self.proposals)
        values = [version, pair.source, pair.target, model, self.device, *choices, *self.help_digests]
        values += [self.choices.to_text()] if self.choices.to_text() else []
        return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def _digest_of(model: Path) -> list[tuple[str, int, int]]:
    """Names, sizes and modification times of a model's files; reading the weights would take too long."""
    return sorted((path.name, path.stat().st_size, int(path.stat().st_mtime)) for path in model.iterdir())


def load_model(model: Path, device: str, threads: int) -> Translator:
    from anaphora_nmt.api import Translator

    return Translator.load(model, device, threads)


def serve(settings: Settings, load: Load | None, channel: Connection) -> None:
    """Translate the jobs from a channel until it is closed, and answer each with an `Outcome`."""
    with translating(settings, load) as translate:
        while True:
            try:
                job = channel.recv()
            except EOFError:
                return
            channel.send(translate(job))


@contextmanager
def translating(
    settings: Settings, load: Load | None, progress: Progress | None = None
) -> Iterator[Callable[[Job], Outcome]]:
    """Yield a function that translates documents; the model and the help are opened once."""
    translator = None if load is None else load()
    with open_help(settings.help_folder, settings.dictionary) as help_:
        yield partial(_outcome_of, settings, translator, help_, progress)


def _outcome_of(
    settings: Settings, translator: Translator | None, help_: Help, progress: Progress | None, job: Job
) -> Outcome:
    started = time.monotonic()
    try:
        with local_files(job.source, job.destination) as (source, destination):
            destination.parent.mkdir(parents=True, exist_ok=True)
            outcome = translate_file(
                source,
                destination,
                translator,
                progress,
                pair=settings.pair,
                help_=help_,
                names_language=settings.names_language,
                choices=settings.choices,
                proposals=settings.proposals,
            )
    except (AnaphoraError, AnaphoraNmtError) as error:
        return Outcome(job.name, FAILED, describe_error(error))
    except OSError as error:
        return Outcome(job.name, FAILED, f"{error.filename or job.destination}: {error.strerror or error}")
    return replace(outcome, name=job.name, seconds=round(time.monotonic() - started, 3))
