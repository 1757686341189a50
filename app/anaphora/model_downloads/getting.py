"""A model from an offer to the folder of installed ones: as a whole, or not at all."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.model_downloads.catalogue import ListError, Offer, OfferedFile
from anaphora.model_downloads.download import Control, Report, Stage, Step, cannot_write, fetch, unpack
from anaphora.model_downloads.licences import licence_of
from anaphora.model_downloads.transport import DownloadError, Transport
from anaphora.models.files import free_folder
from anaphora_nmt.types import EngineInfo, ModelToInstall

PLACE = ".downloads"
_SPARE = 64 << 20
"""Bytes of the disk that are left alone."""
_EVERY = 1 << 16
"""Bytes between two reports."""

Install = Callable[[ModelToInstall, Callable[[int], None]], EngineInfo]


def install(wanted: ModelToInstall, progress: Callable[[int], None]) -> EngineInfo:
    """`anaphora_nmt.api.install_model`, imported when it is needed."""
    from anaphora_nmt.api import install_model

    return install_model(wanted, progress)


class ModelGetter:
    """Gets models into a folder.

    What is not whole yet lies in a hidden folder there: an installed model is renamed into its place at once.
    """

    def __init__(self, folder: Path, transport: Transport, install: Install = install) -> None:
        self._folder, self._transport, self._install = folder, transport, install

    def get(self, offer: Offer, control: Control, report: Report) -> Path:
        """Download a model, check and install it.

        Args:
            offer: complete (`Offer.is_complete`).
        Returns:
            its folder among the installed ones.
        Raises:
            AnaphoraError: it cannot be had, or the disk has too little room.
            AnaphoraNmtError: it cannot be installed.
            Cancelled: `control` says so.
        """
        if not offer.is_complete:
            raise ListError(Message("{name} has no checksums yet.", name=offer.id))
        place = self._place(offer)
        try:
            self._check_space(offer)
            place.mkdir(parents=True, exist_ok=True)
            self._download(offer, place, control, report)
            report(Step(Stage.UNPACKING, offer.size, offer.size))
            model = _lay_out(offer, place, control)
            report(Step(Stage.INSTALLING, offer.size, offer.size))
            name = f"{offer.source} {offer.name}"
            folder = free_folder(self._folder, name)
            wanted = ModelToInstall(model, folder, name)
            self._install(wanted, lambda size: control.check())
        except OSError as error:
            raise cannot_write(Path(error.filename or place), error) from error
        finally:
            shutil.rmtree(place, ignore_errors=True)
        return folder

    def _place(self, offer: Offer) -> Path:
        return self._folder / PLACE / sha256(offer.id.encode()).hexdigest()[:16]

    def _check_space(self, offer: Offer) -> None:
        """It takes what is to come, what is unpacked of it, and once more for the copy."""
        self._folder.mkdir(parents=True, exist_ok=True)
        needed = offer.size + 2 * sum(each.installed_size for each in offer.files) + _SPARE
        free = shutil.disk_usage(self._folder).free
        if free < needed:
            raise DownloadError(
                Message(
                    "The disk of {folder} has {free} MB of room; {needed} MB are needed.",
                    folder=self._folder,
                    free=free // 1_000_000,
                    needed=-(-needed // 1_000_000),
                ),
                "Free some space first.",
            )

    def _download(self, offer: Offer, place: Path, control: Control, report: Report) -> None:
        total, before, told, begun = offer.size, 0, 0, time.monotonic()

        def tell(here: int) -> None:
            nonlocal told
            done, seconds = before + here, time.monotonic() - begun
            if done - told >= _EVERY or done in (0, total):
                told = done
                left = (total - done) * seconds / done if done and seconds > 1 else None
                report(Step(Stage.DOWNLOADING, done, total, left))

        for file in offer.files:
            path = _download_of(file, place)
            fetch(file, path, self._transport, control, tell)
            before += path.stat().st_size


def _lay_out(offer: Offer, place: Path, control: Control) -> Path:
    """The model's files under their names, beside a text that says their licence."""
    model = place / "model"
    model.mkdir(exist_ok=True)
    for file in offer.files:
        path = _download_of(file, place)
        if file.packed:
            unpack(path, file, model / file.name, control.check)
        else:
            shutil.copyfile(path, model / file.name)
    if not any(file.name.upper().startswith("LICENSE") for file in offer.files):
        (model / "LICENCE.txt").write_text(_licence_text(offer), "utf-8")
    return model


def _licence_text(offer: Offer) -> str:
    licence = licence_of(offer.licence)
    lines = [
        f"{offer.name}, from {offer.page or offer.host}",
        f"Licence: {licence.title} ({licence.address})" if licence.address else f"Licence: {licence.title}",
    ]
    lines += ["Files:", *(f"  {each.name}: {each.address}" for each in offer.files)]
    return "\n".join(lines) + "\n"


def _download_of(file: OfferedFile, place: Path) -> Path:
    return place / (file.name + ".download")
