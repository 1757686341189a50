"""Downloads and installs a model, either completely or not at all."""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from hashlib import sha256
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.engine.model_files import unused_folder
from anaphora.features.downloads import mozilla
from anaphora.features.downloads.catalogue import OfferedFile, OfferedModel
from anaphora.features.downloads.transport import Control, DownloadError, Transport
from anaphora.system.files import write_error
from anaphora_nmt.types import ModelToInstall


class Stage(Enum):
    CONNECTING = auto()
    DOWNLOADING = auto()
    INSTALLING = auto()


@dataclass(frozen=True, slots=True)
class Step:
    """Progress of a download; `done` and `total` are numbers of bytes."""

    stage: Stage
    done: int = 0
    total: int = 0


Report = Callable[[Step], None]


_MAX_OVERHEAD = 1 << 20
"""Maximum number of bytes by which a packed file may exceed its listed size."""


def fetch(
    file: OfferedFile, path: Path, transport: Transport, control: Control, report: Callable[[int], None]
) -> None:
    """Download and unpack a file to `path`, and compare its size and checksum with those in the list.

    Args:
        report: gets the number of bytes received so far.
    Raises:
        DownloadError: the file cannot be downloaded, or it does not match the list.
        ExportError: the file cannot be written.
        Cancelled: `control` was cancelled.
    """
    digest, unpacking = sha256(), zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    done = size = 0
    try:
        with path.open("wb") as out:

            def receive(chunk: bytes) -> None:
                nonlocal done, size
                control.check()
                done += len(chunk)
                content = unpacking.decompress(chunk, file.unpacked_size - size + 1)
                size += len(content)
                if size > file.unpacked_size or done > file.download_size + _MAX_OVERHEAD:
                    raise _mismatch_error(file)
                digest.update(content)
                out.write(content)
                report(done)

            report(done)
            transport.read(file.address, receive, control)
    except OSError as error:
        raise write_error(path, error) from error
    except zlib.error as error:
        raise _mismatch_error(file) from error
    if size != file.unpacked_size or digest.hexdigest() != file.unpacked_sha256:
        raise _mismatch_error(file)


def _mismatch_error(file: OfferedFile) -> DownloadError:
    return DownloadError(Message("{name} on the server does not match the list of models.", name=file.name))


DOWNLOADS = ".downloads"
_MIN_FREE_BYTES = 64 << 20
"""Free space in bytes that must remain on the disk during the installation."""
_MIN_REPORTED_BYTES = 1 << 16
"""Minimum number of bytes between two reports; the start and the expected end are always reported."""


def get_model(
    offer: OfferedModel, folder: Path, transport: Transport, control: Control, report: Report
) -> Path:
    """Download a model, check it and install it in a folder.

    The files are downloaded into a hidden subfolder, which is removed at the end.

    Args:
        offer: the model; if its files are unknown, the registry is asked for them.
    Returns:
        the folder of the installed model.
    Raises:
        AnaphoraError: the model cannot be downloaded, or the disk has too little space.
        AnaphoraNmtError: the model cannot be installed.
        Cancelled: `control` was cancelled.
    """
    from anaphora_nmt.api import install_model

    download_folder = folder / DOWNLOADS / sha256(offer.name.encode()).hexdigest()[:16]
    try:
        report(Step(Stage.CONNECTING, 0, offer.size))
        if not offer.files:
            offer = mozilla.complete(offer, lambda address: transport.read_json(address, control))
        _check_space(offer, folder)
        download_folder.mkdir(parents=True, exist_ok=True)
        _download(offer, download_folder, transport, control, report)
        (download_folder / "LICENCE.txt").write_text(_licence_text(offer), "utf-8")
        report(Step(Stage.INSTALLING, offer.size, offer.size))
        name = f"mozilla {offer.name}"
        installed = unused_folder(folder, name)
        install_model(ModelToInstall(download_folder, installed, name), lambda size: control.check())
    except OSError as error:
        raise write_error(Path(error.filename or download_folder), error) from error
    finally:
        shutil.rmtree(download_folder, ignore_errors=True)
    return installed


def _check_space(offer: OfferedModel, folder: Path) -> None:
    """Create the folder; raise DownloadError if it lacks space for the unpacked files and a copy of them."""
    folder.mkdir(parents=True, exist_ok=True)
    needed = 2 * sum(each.unpacked_size for each in offer.files) + _MIN_FREE_BYTES
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise DownloadError(
            Message(
                "The disk with {folder} has {free} MB of free space, but {needed} MB are needed.",
                folder=folder,
                free=free // 1_000_000,
                needed=-(-needed // 1_000_000),
            ),
            "Free some space first.",
        )


def _download(
    offer: OfferedModel, download_folder: Path, transport: Transport, control: Control, report: Report
) -> None:
    total, before, reported = offer.size, 0, 0

    def report_file(received: int) -> None:
        nonlocal reported
        done = before + received
        if done - reported >= _MIN_REPORTED_BYTES or done in (0, total):
            reported = done
            report(Step(Stage.DOWNLOADING, done, total))

    for file in offer.files:
        fetch(file, download_folder / file.name, transport, control, report_file)
        before += file.download_size


def _licence_text(offer: OfferedModel) -> str:
    """The licence note to store beside a model's files, which do not include one."""
    lines = [
        f"{offer.name}, from {mozilla.PAGE}",
        f"Licence: {mozilla.LICENCE} ({mozilla.LICENCE_ADDRESS})",
        "Files:",
        *(f"  {each.name}: {each.address}" for each in offer.files),
    ]
    return "\n".join(lines) + "\n"
