"""While a project is open in a window, only sqlite opens its files in this process.

On POSIX, closing any descriptor of a file releases sqlite's locks on it. Python's audit events report each
file that Python opens, moves or removes, but not those that sqlite opens.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox, QTreeView

from anaphora.core.project import ProjectInUseError
from anaphora.editor.widgets.files import choose_existing
from anaphora.engine.pack_files import read_pack
from anaphora.features.documents.feature import Documents
from anaphora.features.documents.view.backups import BackupsDialog
from anaphora.features.export.view.dialog import ExportDialog
from anaphora.features.models.feature import Models
from anaphora.features.review.files import read_table
from anaphora.features.terms.exchange import import_terms
from anaphora.features.tm.exchange import import_units
from anaphora.features.tm.feature import Tm
from anaphora.features.tm.memories import PROJECT
from anaphora.project.store.terms.table import TermBase
from anaphora.system.locations import PROJECT_SUFFIX

EVENTS = ("open", "os.rename", "os.remove", "os.truncate", "os.link", "shutil.copyfile")
WRITE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    connection.execute("BEGIN IMMEDIATE")
    print("written")
except sqlite3.OperationalError as error:
    print(error)
"""


class Watch:
    """Records accesses to a project's file after `on`."""

    def __init__(self) -> None:
        self.files: frozenset[str] = frozenset()
        self.seen: list[str] = []
        sys.addaudithook(self._note)

    def _note(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in EVENTS and self.files:
            for each in arguments[:2]:
                if (
                    isinstance(each, str | bytes | os.PathLike)
                    and os.path.realpath(os.fsdecode(each)) in self.files
                ):
                    self.seen.append(f"{event} {each!r}")

    @contextmanager
    def on(self, project: Path) -> Iterator[None]:
        real = os.path.realpath(project)
        self.files = frozenset((real, f"{real}-wal", f"{real}-shm", f"{real}-journal"))
        try:
            yield
        finally:
            self.files = frozenset()


@pytest.fixture(scope="module")
def watch() -> Watch:
    """One watch for all tests, because an audit hook stays until the process ends."""
    return Watch()


def shown(window, kind: type) -> list:
    return [each for each in window.findChildren(kind) if each.isVisible()]


def opened(window, kind: type) -> Any:
    """The only dialog of a kind, which checks the disk before it opens."""
    end = time.monotonic() + 30
    while not shown(window, kind) and time.monotonic() < end:
        QTest.qWait(10)
    (dialog,) = shown(window, kind)
    return dialog


def drop(widget, path: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    widget.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, mime, left, none))


def choose(window, *paths: Path) -> None:
    dialog = opened(window, QFileDialog)
    dialog.filesSelected.emit([str(path) for path in paths])
    dialog.fileSelected.emit(str(paths[0]))
    dialog.close()


def by_key(window, project: Path, document: Path) -> None:
    window.of(Documents).files.choose_document()
    choose(window, project)


def by_key_the_document(window, project: Path, document: Path) -> None:
    window.of(Documents).files.choose_document()
    choose(window, document)


def dropped(window, project: Path, document: Path) -> None:
    drop(window, project)


def recent_menu(window, project: Path, document: Path) -> None:
    window.opener.recent.add(project)
    window.of(Documents).files.menu.aboutToShow.emit()
    window.of(Documents).files.menu.actions()[0].trigger()


def start_page(window, project: Path, document: Path) -> None:
    paths = (project, document, document.parent)
    window.start_page.show_recent(paths)
    window.start_page.file_requested.emit(project)


def command_line(window, project: Path, document: Path) -> None:
    window.opener.open(project)


def backups(window, project: Path, document: Path) -> None:
    window.of(Documents).presenter.projects.list_backups()


def its_units(window, project: Path, document: Path) -> None:
    window.of(Tm).controller.choose_import(PROJECT)
    choose(window, project)


def export_over_it(window, project: Path, document: Path) -> None:
    window.of(Documents).files.choose_destination()
    dialog = opened(window, ExportDialog)
    dialog.chosen.emit(project)
    dialog.close()


def export_everything(window, project: Path, document: Path) -> None:
    window.of(Documents).exporting.export_all(project.parent)


def save_over_it(window, project: Path, document: Path) -> None:
    window.of(Documents).presenter.projects.save_as(project)


def as_terms(window, project: Path, document: Path) -> None:
    base = TermBase(PROJECT, window.controller.project.store)
    with pytest.raises(ProjectInUseError):
        import_terms(project, base)
    link = project.with_suffix(".tbx")
    link.symlink_to(project)
    with pytest.raises(ProjectInUseError):
        import_terms(link, base)


def as_other_files(window, project: Path, document: Path) -> None:
    for read in (read_pack, read_table):
        with pytest.raises(ProjectInUseError):
            read(project)
    for suffix in (".tmx", ".po", ".txt"):
        project.with_suffix(suffix).symlink_to(project)
    for suffix in (".tmx", ".po"):
        with pytest.raises(ProjectInUseError):
            import_units(project.with_suffix(suffix), window.of(Tm).service.memories.project)
    window.opener.open(project.with_suffix(".txt"))


def outside_changes(window, project: Path, document: Path) -> None:
    document.write_text(document.read_text("utf-8") + "再见。\n", "utf-8")
    window.of(Documents).presenter.projects.check_external_changes()


def copied(window, project: Path, document: Path) -> None:
    window.of(Documents).presenter.projects.open_copy(project)


def started_over(window, project: Path, document: Path) -> None:
    window.of(Documents).presenter.projects.start_over(document, project)


def model_drop(window, project: Path, document: Path) -> None:
    window.of(Models).controller.take_drop([project])


WAYS: tuple[Callable, ...] = (
    by_key,
    by_key_the_document,
    dropped,
    recent_menu,
    start_page,
    command_line,
    backups,
    its_units,
    export_over_it,
    export_everything,
    save_over_it,
    as_terms,
    as_other_files,
    outside_changes,
    copied,
    started_over,
    model_drop,
)


def write_from_outside(project: Path) -> str:
    command = [sys.executable, "-c", WRITE, str(project)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.slow
def test_a_file_dialog_does_not_read_the_files_that_it_lists(qtbot, make_window, document) -> None:
    """Qt reads files with unknown suffixes, by calls without audit events."""
    window = make_window(path=document)
    project = window.controller.store.path
    dialog = choose_existing(window, "Open", lambda: project.parent, QFileDialog.FileMode.ExistingFiles)
    qtbot.waitUntil(dialog.isVisible, timeout=20000)
    rows = dialog.findChild(QTreeView)
    qtbot.waitUntil(lambda: rows.model().rowCount(rows.rootIndex()) > 0, timeout=20000)
    qtbot.wait(500)
    kinds = {
        rows.model().index(row, 2, rows.rootIndex()).data()
        for row in range(rows.model().rowCount(rows.rootIndex()))
    }
    assert write_from_outside(project) == "database is locked"
    assert all(kinds)
    dialog.close()


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_only_sqlite_opens_an_open_project(qtbot, make_window, document, watch, way) -> None:
    window = make_window(path=document)
    store = window.controller.store
    segment = window.model.segment(0).id
    window.controller.editing.type_text(segment, "The ledger keeps every transaction.")
    assert window.controller.editing.confirm(segment)
    assert window.controller.project.autosave.flush(20)
    qtbot.waitUntil(lambda: window.of(Tm).service.memories is not None, timeout=20000)
    watch.seen.clear()
    with watch.on(store.path):
        way(window, store.path, document)
        qtbot.waitUntil(lambda: not window.controller.tasks.is_busy, timeout=30000)
        qtbot.wait(50)
        qtbot.waitUntil(lambda: not window.controller.tasks.is_busy, timeout=30000)
        assert window.controller.store is store, "the window still has this project"
        assert watch.seen == []
        assert write_from_outside(store.path) == "database is locked"
    for box in shown(window, QMessageBox) + shown(window, BackupsDialog) + shown(window, QDialog):
        box.close()
    window.controller.editing.type_text(segment, "It goes on.")
    assert window.controller.editing.confirm(segment)
    assert window.controller.close()
    connection = sqlite3.connect(store.path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("SELECT target FROM segments WHERE id = ?", (segment,)).fetchone() == (
        "It goes on.",
    )
    connection.close()
    assert store.path.suffix == PROJECT_SUFFIX
