"""Long imports and openings show progress and can be cancelled without changes or waiting."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from anaphora.core.long_work import CancelledError, LongWork
from anaphora.features.documents.feature import Documents
from anaphora.features.terms.exchange import import_terms
from anaphora.features.terms.feature import Terms
from anaphora.features.terms.service import PROJECT
from anaphora.project.opening import open_paths
from anaphora.project.store.terms.table import TermBase, TermFile
from anaphora.system.locations import data_folder

pytestmark = pytest.mark.usefixtures("garbage_at_rest")
SOON = 0.3
"""Seconds: "within a fraction of a second"."""


def large(path: Path, lines: int = 20_000) -> Path:
    path.write_text("".join(f"第{number}个节点保存账本的副本。\n" for number in range(lines)), "utf-8")
    return path


def projects() -> set[Path]:
    return set((data_folder() / "projects").glob("*"))


def table(path: Path, rows: int = 15_000) -> Path:
    path.write_text("".join(f"术语{number},term {number}\n" for number in range(rows)), "utf-8")
    return path


def small(path: Path) -> Path:
    path.write_text("账本保存每个交易。\n", "utf-8")
    return path


def test_a_cancelled_opening_leaves_no_project(qtbot, make_window, tmp_path) -> None:
    window = make_window()
    controller = window.controller
    signals: list[object] = []
    controller.failed.connect(lambda *what: signals.append(what))
    window.opener.progressed.connect(signals.append)
    path = large(tmp_path / "large.zh.txt")
    window.opener.open(path)
    dialog = window.of(Documents).presenter.opening.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: bool(signals), timeout=20000)
    begun = time.process_time()
    dialog.reject()
    assert window.of(Documents).presenter.opening.dialog is None and not window.opener.can_cancel
    qtbot.waitUntil(lambda: not controller.tasks.is_busy, timeout=20000)
    assert time.process_time() - begun < 2 * SOON
    assert all(isinstance(each, int) for each in signals) and controller.session is None
    assert projects() == set()
    window.opener.open(small(tmp_path / "small.zh.txt"))
    qtbot.waitUntil(lambda: controller.session is not None, timeout=20000)


def test_a_project_read_before_cancelling_is_closed(qtbot, make_window, tmp_path) -> None:
    window = make_window()
    controller = window.controller
    path = small(tmp_path / "small.zh.txt")
    window.opener.open(path)
    assert controller.tasks.finish()  # it is open, but the signal is still queued
    window.opener.cancel()
    qtbot.waitUntil(lambda: not controller.tasks.is_busy, timeout=20000)
    assert controller.session is None
    window.opener.open(path)
    qtbot.waitUntil(lambda: controller.session is not None, timeout=20000)


def test_a_cancelled_import_of_terms_changes_nothing(qtbot, make_window, tmp_path) -> None:
    window = make_window(path=small(tmp_path / "small.zh.txt"))
    terms = window.of(Terms).service
    shown: list[str] = []
    qtbot.waitUntil(lambda: terms.terms is not None, timeout=20000)
    window.of(Terms).segment_terms.announced.connect(shown.append)
    steps: list[int] = []
    terms.progressed.connect(steps.append)
    window.of(Terms).segment_terms.import_file(PROJECT, table(tmp_path / "terms.csv"))
    dialog = window.of(Terms).segment_terms.progress.dialog
    assert dialog is not None
    window.of(Terms).segment_terms.import_file(PROJECT, tmp_path / "terms.csv")
    assert shown == ["Another import of terms is running."]
    qtbot.waitUntil(lambda: bool(steps) and steps[-1] > 300, timeout=20000)  # it is being written
    with qtbot.waitSignal(terms.import_cancelled, timeout=20000):
        dialog.reject()
    assert window.of(Terms).segment_terms.progress.dialog is None
    assert shown[-1] == "Cancelled. Nothing was changed."
    assert window.of(Terms).service.terms.entries[PROJECT] == ()
    with qtbot.waitSignal(terms.imported, timeout=30000):
        window.of(Terms).segment_terms.import_file(PROJECT, table(tmp_path / "few.csv", 3))
    assert len(window.of(Terms).service.terms.entries[PROJECT]) == 3


def test_closing_does_not_wait_for_an_import_of_terms(qtbot, make_window, tmp_path) -> None:
    window = make_window(path=small(tmp_path / "small.zh.txt"))
    terms = window.of(Terms).service
    steps: list[int] = []
    qtbot.waitUntil(lambda: terms.terms is not None, timeout=20000)
    terms.progressed.connect(steps.append)
    # Enough to take several times as long as closing may, despite other work in this process.
    window.of(Terms).segment_terms.import_file(PROJECT, table(tmp_path / "terms.csv", 290_000))
    qtbot.waitUntil(lambda: bool(steps), timeout=20000)
    begun = time.process_time()
    window.controller.close()
    assert time.process_time() - begun < SOON * 6


@pytest.mark.parametrize("suffix", ["csv", "tbx"])
def test_every_part_of_an_import_of_terms_can_be_cancelled(tmp_path, suffix: str) -> None:
    path = tmp_path / f"terms.{suffix}"
    if suffix == "csv":
        table(path, 5000)
    else:
        unit = (
            '<conceptEntry><langSec xml:lang="zh"><termSec><term>术语{0}</term></termSec></langSec>'
            '<langSec xml:lang="en"><termSec><term>term {0}</term></termSec></langSec></conceptEntry>'
        )
        entries = "".join(unit.format(number) for number in range(1000))
        path.write_text(f'<tbx type="TBX-Basic"><text><body>{entries}</body></text></tbx>', "utf-8")
    shares: list[float] = []
    base = TermBase("t", TermFile.open(tmp_path / "terms.sqlite"))

    def note(share: float) -> None:
        shares.append(share)

    import_terms(path, TermBase("t", TermFile.open(tmp_path / "other.sqlite")), step=note)
    assert shares == sorted(shares) and len(shares) > 5 and shares[-1] > 0.7
    for last in (0.0, 0.2, 0.5):
        work = LongWork()

        def stop(share: float, last: float = last, work: LongWork = work) -> None:
            if share >= last:
                work.cancel()
            work.step(share)

        with pytest.raises(CancelledError):
            import_terms(path, base, step=stop)
        assert base.entries() == ()


def test_opening_a_folder_can_be_cancelled_between_and_within_files(tmp_path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for number in range(5):
        large(folder / f"{number}.zh.txt", 50)
    shares: list[float] = []
    open_paths([folder], shares.append).store.close()
    assert shares == sorted(shares) and len({round(share, 2) for share in shares}) > 20
    other = tmp_path / "other"
    other.mkdir()
    large(other / "a.zh.txt", 50)
    before = projects()
    for last in (0.0, 0.5, 0.79):
        work = LongWork()

        def stop(share: float, last: float = last, work: LongWork = work) -> None:
            if share >= last:
                work.cancel()
            work.step(share)

        with pytest.raises(CancelledError):
            open_paths([other], stop)
        assert projects() == before
