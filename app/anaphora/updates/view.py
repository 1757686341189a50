"""The button in “About” that asks for the newest version, and its answer."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlsplit

from PySide6.QtCore import QObject
from shiboken6 import isValid

from anaphora.application.messages import localise_message
from anaphora.core.errors import AnaphoraError
from anaphora.help.view.about import AboutDialog
from anaphora.model_downloads.transport import Transport
from anaphora.shipped import version
from anaphora.updates.newest import Release, is_newer, newest, releases_address
from anaphora.window.main_window import MainWindow


class UpdateCheck(QObject):
    """Asks when the button is clicked; nothing is asked before, and nothing is downloaded."""

    def __init__(self, window: MainWindow, repository: str, transport: Transport) -> None:
        super().__init__(window)
        self._window, self._repository, self._transport = window, repository, transport
        window.about_opened.connect(self._offer)

    def _offer(self, dialog: AboutDialog) -> None:
        host = urlsplit(releases_address(self._repository)).hostname or self._repository
        dialog.offer_update_check(
            self.tr("Asks {0} for the newest version; sends nothing else.").format(host)
        )
        dialog.newest_asked.connect(partial(self._ask, dialog))

    def _ask(self, dialog: AboutDialog) -> None:
        dialog.show_newest(self.tr("Asking …"), waiting=True)
        self._window.controller.tasks.start(
            partial(newest, self._repository, self._transport.read_json),
            partial(self._show, dialog),
            partial(self._show_failure, dialog),
        )

    def _show(self, dialog: AboutDialog, release: Release) -> None:
        if not isValid(dialog):
            return
        if is_newer(release.version, version()):
            text = self.tr("Version {0} is there.").format(release.version)
            dialog.show_newest(text, page=release.page)
        else:
            dialog.show_newest(self.tr("This is the newest version."))

    def _show_failure(self, dialog: AboutDialog, error: Exception) -> None:
        if not isValid(dialog):
            return
        reason = localise_message(error.message) if isinstance(error, AnaphoraError) else str(error)
        dialog.show_newest(self.tr("It could not be found out: {0}").format(reason))
