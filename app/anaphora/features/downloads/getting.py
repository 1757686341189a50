"""A model from an offer to the folder of installed ones: as a whole, or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.engine.model_files import free_folder
from anaphora.features.downloads import mozilla
from anaphora.features.downloads.catalogue import OfferedModel
from anaphora.features.downloads.download import Report, Stage, Step, fetch
from anaphora.features.downloads.transport import Control, DownloadError, Transport
from anaphora.system.files import cannot_write
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

    Incomplete models are in a hidden folder there; an installed model is renamed into its place at once.
    """

    def __init__(self, folder: Path, transport: Transport, install: Install = install) -> None:
        self._folder, self._transport, self._install = folder, transport, install

    def get(self, offer: OfferedModel, control: Control, report: Report) -> Path:
        """Download a model, check and install it.

        Args:
            offer: without files, the registry is queried first.
        Returns:
            its folder among the installed ones.
        Raises:
            AnaphoraError: it cannot be had, or the disk has too little room.
            AnaphoraNmtError: it cannot be installed.
            Cancelled: through `control`.
        """
        place = self._folder / PLACE / sha256(offer.name.encode()).hexdigest()[:16]
        try:
            report(Step(Stage.ASKING, 0, offer.size))
            if not offer.files:
                offer = mozilla.complete(offer, lambda address: self._transport.read_json(address, control))
            self._check_space(offer)
            place.mkdir(parents=True, exist_ok=True)
            self._download(offer, place, control, report)
            (place / "LICENCE.txt").write_text(_licence_text(offer), "utf-8")
            report(Step(Stage.INSTALLING, offer.size, offer.size))
            name = f"mozilla {offer.name}"
            folder = free_folder(self._folder, name)
            self._install(ModelToInstall(place, folder, name), lambda size: control.check())
        except OSError as error:
            raise cannot_write(Path(error.filename or place), error) from error
        finally:
            shutil.rmtree(place, ignore_errors=True)
        return folder

    def _check_space(self, offer: OfferedModel) -> None:
        """It takes what is unpacked, and once more for the copy."""
        self._folder.mkdir(parents=True, exist_ok=True)
        needed = 2 * sum(each.unpacked_size for each in offer.files) + _SPARE
        free = shutil.disk_usage(self._folder).free
        if free < needed:
            raise DownloadError(
                Message(
                    "The disk of {folder} has {free} MB of free space, but {needed} MB are needed.",
                    folder=self._folder,
                    free=free // 1_000_000,
                    needed=-(-needed // 1_000_000),
                ),
                "Free some space first.",
            )

    def _download(self, offer: OfferedModel, place: Path, control: Control, report: Report) -> None:
        total, before, told = offer.size, 0, 0

        def tell(here: int) -> None:
            nonlocal told
            done = before + here
            if done - told >= _EVERY or done in (0, total):
                told = done
                report(Step(Stage.DOWNLOADING, done, total))

        for file in offer.files:
            fetch(file, place / file.name, self._transport, control, tell)
            before += file.travelling


def _licence_text(offer: OfferedModel) -> str:
    """The licence note stored beside a model's files, which come without a licence text."""
    lines = [
        f"{offer.name}, from {mozilla.PAGE}",
        f"Licence: {mozilla.LICENCE} ({mozilla.LICENCE_ADDRESS})",
        "Files:",
        *(f"  {each.name}: {each.address}" for each in offer.files),
    ]
    return "\n".join(lines) + "\n"
