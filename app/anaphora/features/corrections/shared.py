"""Reading a project's corrections, and the file of corrections that apply in all projects."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from anaphora.core.untrusted import read_json
from anaphora.engine.pack_files import portable_corrections
from anaphora.project.store.summary import read_work
from anaphora.system.files import locked_file, write_atomically
from anaphora_nmt.errors import SteeringError
from anaphora_nmt.types import Correction, MemoryPack, corrections_from_plain, corrections_to_plain

log = logging.getLogger(__name__)

CORRECTIONS_SETTING = "memory/corrections"
Corrections = tuple[Correction, ...]
_MAX_BYTES = 5_000_000
"""Maximum size of the shared file in bytes, enough for tens of thousands of corrections."""


@dataclass(frozen=True, slots=True)
class StoredCorrections:
    """The corrections stored in a project. `unreadable` is the stored text if it cannot be read, else ""."""

    corrections: Corrections = ()
    unreadable: str = ""


def read_corrections(text: str) -> StoredCorrections:
    """The corrections in the text stored as `CORRECTIONS_SETTING`; logs a text that cannot be read."""
    try:
        return StoredCorrections(corrections_from_plain(read_json(text)) if text else ())
    except (ValueError, SteeringError) as problem:
        log.warning("the corrections of a project cannot be read (%s): %.200s", problem, text)
        return StoredCorrections((), text)


def corrections_of(project: Path) -> MemoryPack:
    """A pack with the corrections of a project file that is not open. Raises: see `read_work`."""
    stored = read_corrections(read_work(project).settings.get(CORRECTIONS_SETTING, ""))
    return MemoryPack(project.stem, (), portable_corrections(stored.corrections))


def shared_form(correction: Correction) -> Correction:
    """A correction as it is stored for all projects: without its segment, scope and revocation."""
    return replace(correction, segment="", scope="", revoked_by="", everywhere=True)


def read_shared(path: Path) -> tuple[Correction, ...]:
    """The shared corrections; none if the file cannot be read. A damaged file is renamed `NAME.damaged`."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise ValueError("the file is too large")
        corrections = corrections_from_plain(read_json(path.read_text("utf-8")))
    except FileNotFoundError:
        return ()
    except OSError as problem:
        log.warning("the file of shared corrections cannot be read: %s", problem)
        return ()
    except (ValueError, SteeringError) as problem:
        log.warning("the file of shared corrections cannot be read (%s): it is renamed", problem)
        with suppress(OSError):
            path.replace(path.with_name(f"{path.name}.damaged"))
        return ()
    return tuple(map(shared_form, corrections))


def change_shared(path: Path, removed: Collection[Correction], added: Collection[Correction]) -> None:
    """Change the corrections in the shared file. Raises ExportError or OSError if it cannot be written."""
    removed_forms = {*map(shared_form, removed)}
    with locked_file(path):
        shared = dict.fromkeys(each for each in read_shared(path) if each not in removed_forms)
        shared |= dict.fromkeys(map(shared_form, added))
        text = json.dumps(corrections_to_plain(shared), ensure_ascii=False, indent=1)
        write_atomically((text + "\n").encode("utf-8"), path)
