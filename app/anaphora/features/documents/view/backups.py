"""Lists the backups of a project and opens one of them as a copy."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from anaphora.core.project import Backup
from anaphora.editor.widgets.dialogs import closing_buttons, set_up_dialog, stack, wrapped
from anaphora.editor.widgets.rail import listing
from anaphora.editor.widgets.sentence import plain_tip

BACKUP_ROLE = Qt.ItemDataRole.UserRole + 1


class BackupsDialog(QDialog):
    """Lists backups, the newest first; emits `chosen` with the Backup to open as a copy."""

    chosen = Signal(object)

    def __init__(self, project: str, backups: Sequence[Backup], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_dialog(self, self.tr("Backups of {0}").format(project), 680, 380)
        about = wrapped(
            self.tr("A backup opens as a separate copy. The open project does not change.")
            if backups
            else self.tr(
                "No backups yet. Anaphora makes one when you open the project and then every ten "
                "minutes while you make changes."
            )
        )
        self.list = self._make_list(backups)
        self.open_button = QPushButton(self.tr("Open a copy"))
        self.open_button.setProperty("primary", True)
        buttons = closing_buttons(self)
        buttons.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        self.accepted.connect(self._choose)
        self.list.itemActivated.connect(lambda *_: self.accept())
        self.list.itemSelectionChanged.connect(self._enable)
        stack(self, about, self.list, buttons, grows=self.list)
        if backups:
            self.list.setCurrentIndex(self.list.model().index(0, 0))
        self._enable()

    def _make_list(self, backups: Sequence[Backup]) -> QTreeWidget:
        titles = [self.tr("Created"), self.tr("Confirmed"), self.tr("Size"), self.tr("Documents")]
        result = listing(self.tr("Backups"), titles)
        header = result.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        locale = QLocale()
        for backup in backups:
            created = f"{backup.made:%Y-%m-%d %H:%M:%S}" + (f"  ({backup.label})" if backup.label else "")
            if backup.segments is None:
                confirmed = self.tr("cannot be read")
            else:
                confirmed = self.tr("{0} of {1}").format(backup.confirmed, backup.segments)
            names = ", ".join(backup.documents)
            item = QTreeWidgetItem([created, confirmed, locale.formattedDataSize(backup.size), names])
            item.setData(0, BACKUP_ROLE, backup)
            item.setToolTip(3, plain_tip("\n".join(backup.documents)))
            item.setDisabled(backup.segments is None)
            result.addTopLevelItem(item)
        return result

    def _enable(self) -> None:
        self.open_button.setEnabled(bool(self.list.selectedItems()))

    def _choose(self) -> None:
        for item in self.list.selectedItems()[:1]:
            self.chosen.emit(item.data(0, BACKUP_ROLE))
