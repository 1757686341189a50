"""Projects of strangers: nothing freezes, fills the memory, is lost, or is read outside."""

from __future__ import annotations

import io
import os
import random
import resource
import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hostile_projects import CONFIRMED, KINDS, SENTENCES, craft, ordinary
from PySide6.QtWidgets import QMessageBox

from anaphora.core.errors import ProjectError
from anaphora.core.long_work import CancelledError
from anaphora.core.project import DamagedProjectError
from anaphora.features.documents.feature import Documents
from anaphora.features.export.view.dialog import ExportDialog
from anaphora.features.packs.feature import Packs
from anaphora.features.steering.feature import Steering
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.exchange import import_units
from anaphora.features.tm.feature import Tm
from anaphora.project.exporting.writing import snapshot, write_export
from anaphora.project.importing.external_changes import changed_originals
from anaphora.project.opening import open_paths, open_project
from anaphora.project.rescuing import rescue
from anaphora.project.store.checked_tables import row_checksum
from anaphora.project.store.own_originals import remember, undecided
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.summary import read_summary, read_work
from anaphora.project.store.units.file import MemoryFile
from anaphora.project.store.units.table import TranslationMemory

MEBIBYTE = 2**20
EARLY = Path(__file__).parents[1] / "golden" / "projects" / "early-9.anaphora"
OPENED = (
    *("unpacking", "many unpackings", "deep packs", "deep rules", "deep model"),
    *("deep languages", "deep dismissals", "deep import notes", "many lists", "long row"),
    *("a path", "a share"),
)
"""Kinds that are opened: what is wrong with them is left out."""
WITHOUT_TARGETS = ("endless segments", "generated target")
"""Kinds without translations in the table of the segments."""
READ_AS_MEMORY = ("large setting",)
"""Kinds whose segments can be read."""


@pytest.mark.parametrize("kind", ["unpacking", "many unpackings"])
def test_the_history_unpacks_no_more_than_texts_of_a_segment_can_be(tmp_path: Path, kind: str) -> None:
    chance = None if kind == "unpacking" else random.Random(1)
    opened = open_project(craft(tmp_path / "a.anaphora", tmp_path / "a.txt", kind, chance=chance))
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    history = opened.store.history(opened.document.at(0).id)
    opened.store.close()
    assert opened.document.at(0).target == CONFIRMED
    assert sum(len(state.target) for state in history) <= 16 * MEBIBYTE
    assert time.process_time() - begun < 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 * 1024, "KiB"


@pytest.mark.parametrize(
    "kinds",
    [
        [kind for kind in KINDS if kind.startswith("deep") and kind != "deep notes"],
        ["many lists", "long row"],
    ],
    ids=["deep", "long"],
)
def test_settings_that_make_no_sense_leave_the_work_open(qtbot, make_window, tmp_path: Path, kinds) -> None:
    said: list[str] = []
    window = make_window(start=False)
    controller = window.controller
    for service in (window.of(Packs).service, window.of(Steering).service):
        service.failed.connect(said.append)
    window.opener.open(craft(tmp_path / "a.anaphora", tmp_path / "a.txt", *kinds))
    qtbot.waitUntil(lambda: controller.session is not None, timeout=30000)
    assert controller.session.document.at(0).target == CONFIRMED
    qtbot.waitUntil(lambda: window.of(Tm).service.memories is not None, timeout=30000)
    controller.editing.type_text(controller.session.document.at(1).id, "Each node reads it.")
    qtbot.waitUntil(lambda: controller.project.autosave.is_clean, timeout=30000)
    qtbot.waitUntil(lambda: window.of(Terms).service.terms is not None, timeout=30000)
    assert window.of(Terms).offers.is_possible, "it follows the project, as the services before it do"
    assert any("memory packs" in text for text in said)


@pytest.fixture
def touched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are looked at or opened from now on."""
    paths: list[str] = []

    def watch(function):
        def watched(path, *args, **kwargs):
            if not isinstance(path, int):
                paths.append(os.fspath(path))
            return function(path, *args, **kwargs)

        return watched

    for name in ("stat", "lstat", "open", "scandir", "readlink"):
        monkeypatch.setattr(os, name, watch(getattr(os, name)))
    monkeypatch.setattr(io, "open", watch(io.open))
    return paths


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """A file that a stranger's project names as its original."""
    (tmp_path / "home").mkdir()
    path = tmp_path / "home" / "private.txt"
    path.write_text("A private file.", "utf-8")
    return path


def test_no_file_that_a_project_names_is_touched_before_the_user_agrees(
    tmp_path: Path, private: Path, touched: list[str]
) -> None:
    project = craft(tmp_path / "a.anaphora", private)
    touched.clear()
    opened = open_paths([project])
    assert [info.path for info in opened.undecided] == [str(private)] and opened.changed == ()
    write_export(opened.store, opened.documents[0], snapshot(opened.document), tmp_path / "out.txt")
    assert not [path for path in touched if os.fsdecode(path).startswith(str(private))]

    remember(opened.undecided, may_watch=False)
    assert undecided(opened.documents) == () and changed_originals(opened.store, opened.documents) == ()
    remember(opened.documents)
    assert [change.document.path for change in changed_originals(opened.store, opened.documents)]
    opened.store.close()


def test_what_was_agreed_to_holds_for_these_bytes_from_this_path(tmp_path: Path, private: Path) -> None:
    opened = open_paths([craft(tmp_path / "a.anaphora", private)])
    info = opened.documents[0]
    opened.store.close()
    remember([info])
    moved = tmp_path / "b.anaphora"
    (tmp_path / "a.anaphora").rename(moved)
    again = open_paths([moved])
    again.store.close()
    assert again.undecided == () and again.changed
    assert undecided([replace(info, path=str(private.with_name("other.txt")))])
    assert undecided([replace(info, sha256="0" * 64)])
    assert undecided([replace(info, path=r"\\192.0.2.7\share\a.txt")]) == (), "no path of this system"


def test_the_user_is_shown_the_paths_and_daily_work_asks_nothing(
    qtbot, make_window, tmp_path: Path, private: Path
) -> None:
    window = make_window(start=False)
    controller, banner = window.controller, window.of(Documents).presenter.banner
    window.opener.open(craft(tmp_path / "a.anaphora", private))
    qtbot.waitUntil(lambda: controller.session is not None, timeout=30000)
    assert banner.isVisible()
    window.of(Documents).files.choose_destination()
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is not None, timeout=30000)
    assert window.findChild(ExportDialog).field.place.parent == tmp_path, "the project's folder is proposed"
    window.findChild(ExportDialog).close()
    banner.linkActivated.emit("")
    (box,) = [each for each in window.findChildren(QMessageBox) if each.isVisible()]
    assert str(private) in box.text()
    box.buttons()[1].click()
    qtbot.waitUntil(lambda: not banner.isVisible(), timeout=30000)
    qtbot.waitUntil(lambda: _asks_about(window, private), timeout=30000)

    mine = tmp_path / "mine.txt"
    mine.write_text("账本保存每个交易。\n", "utf-8")
    window.opener.open(mine)
    qtbot.waitUntil(lambda: controller.path == mine, timeout=30000)
    assert not banner.isVisible() and controller.project.watched == {"1"}


REFUSED = [kind for kind in KINDS if kind not in OPENED]


@pytest.mark.parametrize("kind", REFUSED)
def test_a_crafted_project_is_refused_and_its_translations_saved(tmp_path: Path, kind: str) -> None:
    project = craft(tmp_path / "a.anaphora", tmp_path / "a.txt", kind)
    before, begun = _peak(), time.process_time()
    with pytest.raises(DamagedProjectError, match="was not changed") as refused:
        open_project(project)
    assert refused.value.advice
    read_summary(project)
    if kind not in READ_AS_MEMORY:
        with pytest.raises(ProjectError):
            read_work(project)
    assert time.process_time() - begun < 10 and _peak() - before < 600

    if kind == "endless documents":
        with pytest.raises(ProjectError, match="can be read"):
            rescue(project)
        return
    saved = rescue(project)
    assert time.process_time() - begun < 20 and _peak() - before < 900
    opened = open_project(saved.project)
    opened.store.close()
    assert [segment.source for segment in opened.document] == list(SENTENCES)
    assert saved.confirmed == (kind not in WITHOUT_TARGETS)


def test_bytes_in_the_place_of_a_setting_are_not_saved_as_a_text(tmp_path: Path) -> None:
    project = ordinary(tmp_path / "a.anaphora", tmp_path / "a.txt")
    value = bytes(17 * MEBIBYTE)
    with closing(sqlite3.connect(project)) as connection, connection:
        row = ("x", value, row_checksum("x", value))
        connection.execute("INSERT INTO settings (key, value, checksum) VALUES (?, ?, ?)", row)
    opened = open_project(rescue(project).project)
    assert opened.store.setting("x") == "" and len(opened.document) == len(SENTENCES)
    opened.store.close()


def test_no_row_of_a_strangers_is_written_or_deleted_by_its_constraints(tmp_path: Path) -> None:
    project = craft(tmp_path / "a.anaphora", tmp_path / "a.txt", "rows that replace others")
    before = project.read_bytes()
    with pytest.raises(DamagedProjectError):
        ProjectStore.open(project)
    assert project.read_bytes() == before


def test_a_project_that_never_ends_is_cut_off_when_the_user_cancels(tmp_path: Path) -> None:
    """Its tables are ours; what takes long here is only that it is large."""
    project = ordinary(tmp_path / "a.anaphora", tmp_path / "a.txt")
    with closing(sqlite3.connect(project)) as connection, connection:
        rows = ((f"x{number}", 1, number, "账" * 50) for number in range(4, 100_000))
        connection.executemany(
            "INSERT INTO segments (id, document, position, source, block, target, status, notes, tags, "
            "given, report, text_checksum, state_checksum) "
            "VALUES (?, ?, ?, ?, '', '', 0, '', '', '', '', 0, 0)",
            rows,
        )
    memory, asked = TranslationMemory("m", MemoryFile.open(tmp_path / "m.sqlite")), 0

    def step(_: float) -> None:
        nonlocal asked
        asked += 1
        if asked > 3:
            raise CancelledError

    begun = time.process_time()
    with pytest.raises(CancelledError):
        import_units(project, memory, step=step)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize("kind", ["endless segments", "endless documents", "virtual table"])
def test_a_strangers_project_is_not_a_memory_and_closing_does_not_wait(
    qtbot, make_window, tmp_path: Path, kind: str
) -> None:
    window = make_window(path=_text(tmp_path))
    qtbot.waitUntil(lambda: window.of(Tm).service.memories is not None, timeout=30000)
    failed: list[Exception] = []
    window.of(Tm).exchange.failed.connect(failed.append)
    name = window.of(Tm).service.memories.all()[0].name
    project = craft(tmp_path / "a.anaphora", tmp_path / "a.txt", kind)
    with qtbot.waitSignal(window.of(Tm).exchange.ended, timeout=30000):
        assert window.of(Tm).exchange.import_file(project, name)
        begun = time.monotonic()
        window.controller.close()
        assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    ("kind", "reason", "target"),
    [("slow check", "does not create", CONFIRMED), ("early", "before the first release", "Ledger")],
)
def test_the_window_offers_to_save_what_can_be_read(
    qtbot, make_window, tmp_path: Path, kind: str, reason: str, target: str
) -> None:
    window, project = make_window(start=False), tmp_path / "a.anaphora"
    if kind == "early":
        shutil.copy(EARLY, project)
    else:
        craft(project, tmp_path / "a.txt", kind)
    window.opener.open(project)
    qtbot.waitUntil(lambda: bool(_boxes(window)), timeout=30000)
    (box,) = _boxes(window)
    assert reason in box.text()
    next(button for button in box.buttons() if "can be read" in button.text()).click()
    qtbot.waitUntil(lambda: window.controller.session is not None, timeout=30000)
    assert window.controller.session.document.at(0).target == target


def _text(folder: Path) -> Path:
    path = folder / "b.txt"
    path.write_text("账本保存每个交易。\n", "utf-8")
    return path


def _peak() -> float:
    """The most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _boxes(window) -> list[QMessageBox]:
    return [box for box in window.findChildren(QMessageBox) if box.isVisible()]


def _asks_about(window, path: Path) -> bool:
    boxes = window.findChildren(QMessageBox)
    return any(box.isVisible() and "have changed" in box.text() and str(path) in box.text() for box in boxes)
