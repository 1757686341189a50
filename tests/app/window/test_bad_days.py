"""Failures in the real window: each gives one clear message, loses nothing and prints no traceback."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from disks import fill, mount, small_disk
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from anaphora.core.segment import Status
from anaphora.engine.worker import default_loader
from anaphora.features.documents.feature import Documents
from anaphora.features.engine_state.feature import EngineState
from anaphora.project.document import autosave
from anaphora.system.locations import default_model


@pytest.fixture(autouse=True)
def no_traceback(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Check that the terminal contains no traceback."""
    yield
    shown = capfd.readouterr().err
    assert "Traceback" not in shown and "Error:" not in shown, shown


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 4 MiB, for a project with a long text, the shared memory, and the logs of both."""
    with small_disk(tmp_path / "disk", "4m") as place:
        yield place


def messages(window) -> list[QMessageBox]:
    return [box for box in window.findChildren(QMessageBox) if box.isVisible()]


def message_in(qtbot, window) -> str:
    """Close the only message, which must contain advice, and return its text."""
    qtbot.waitUntil(lambda: bool(messages(window)), timeout=20000)
    (box,) = messages(window)
    text, advice = box.text(), box.informativeText()
    assert text and advice, "a message contains the problem and advice"
    box.close()
    qtbot.waitUntil(lambda: not messages(window), timeout=30000)
    return f"{text} {advice}"


def confirm(window, row: int, text: str) -> None:
    segment = window.model.segment(row).id
    window.controller.editing.type_text(segment, text)
    assert window.controller.editing.confirm(segment)


@pytest.mark.parametrize(
    "damage", ["missing", "empty", "config.json", "trained.safetensors", "target.model", "source.model"]
)
@pytest.mark.slow
def test_a_missing_or_truncated_model_is_reported_and_editing_continues(
    qtbot, make_window, document, tmp_path, damage
) -> None:
    folder = tmp_path / "model"
    if damage != "missing":
        folder.mkdir()
    for part in default_model().iterdir() if "." in damage else ():
        if part.name == damage:
            (folder / part.name).write_bytes(part.read_bytes()[: part.stat().st_size // 2])
        else:
            (folder / part.name).symlink_to(part)
    window = make_window(default_loader(folder, "cpu", 1), document)
    qtbot.waitUntil(lambda: not window.of(EngineState).no_model_banner.isHidden(), timeout=60000)
    shown = window.of(EngineState).no_model_banner.text()
    assert str(folder) in shown and "nstall" in shown, shown
    QTest.keyClicks(window.table.editor, "by hand")
    assert window.model.segment(0).target == "by hand"


def test_files_with_a_wrong_extension(qtbot, make_window, document, tmp_path) -> None:
    import docx

    window = make_window(path=document)
    confirm(window, 0, "Kept.")
    whole = tmp_path / "whole.docx"
    docx.Document().save(str(whole))
    bad = {
        "cut.docx": whole.read_bytes()[:9000],
        "noise.txt": bytes(range(256)) * 20,
        "word.txt": whole.read_bytes(),
        "cut.xlf": b'<xliff version="1.2"><file><body><trans-unit id="1"><source>x',
        "empty.docx": b"",
    }
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
        window.opener.open(tmp_path / name)
        assert name in message_in(qtbot, window)
        assert window.model.segment(0).target == "Kept."


@pytest.mark.slow
def test_a_full_disk_while_saving_and_exporting(
    qtbot, make_window, document, disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "RETRY_SECONDS", 0.05)
    monkeypatch.setenv("ANAPHORA_DATA", str(disk / "data"))
    window = make_window(path=document)
    confirm(window, 0, "First.")
    assert window.controller.project.autosave.flush(10)
    ballast = fill(disk)
    confirm(window, 1, "long " * 60_000)
    assert "Free some space" in message_in(qtbot, window)
    assert window.model.segment(1).status is Status.CONFIRMED
    window.of(Documents).exporting.export(disk / "out.txt")
    assert "disk is full" in message_in(qtbot, window)
    assert not (disk / "out.txt").exists()
    ballast.unlink()
    confirm(window, 2, "Third.")
    qtbot.waitUntil(lambda: window.controller.project.autosave.is_clean, timeout=20000)
    project = window.controller.store.path
    assert window.controller.close()
    window.opener.open(project)
    qtbot.waitUntil(lambda: window.model.rowCount() == 12, timeout=20000)
    assert [window.model.segment(row).status for row in range(3)] == [Status.CONFIRMED] * 3


def test_a_read_only_folder(qtbot, make_window, document, disk) -> None:
    inside = disk / document.name
    shutil.copy(document, inside)
    assert mount("-o", "remount,ro", str(disk))
    window = make_window(path=inside)
    confirm(window, 0, "First.")
    window.of(Documents).exporting.export(disk / "out.txt")
    assert "read-only" in message_in(qtbot, window).lower()
    assert window.model.segment(0).target == "First."


@pytest.mark.slow
def test_the_original_is_removed_while_it_is_open(qtbot, make_window, document, tmp_path) -> None:
    window = make_window(path=document)
    confirm(window, 0, "First.")
    document.unlink()
    out = tmp_path / "out.txt"
    with qtbot.waitSignal(window.of(Documents).exporting.exported, timeout=20000):
        window.of(Documents).exporting.export(out)
    assert out.read_text("utf-8").startswith("First.\n") and not messages(window)
    project = window.controller.store.path
    window.controller.close()
    window.opener.open(document)
    assert "does not exist" in message_in(qtbot, window)
    window.opener.open(project)
    qtbot.waitUntil(lambda: window.model.rowCount() == 12, timeout=20000)
    assert window.model.segment(0).target == "First."


@pytest.mark.parametrize("where", ["header", "page", "log"])
@pytest.mark.slow
def test_a_corrupt_project_leads_to_a_message(
    qtbot, make_window: Callable, document, tmp_path, where: str
) -> None:
    window = make_window(path=document)
    confirm(window, 0, "First.")
    assert window.controller.project.autosave.flush(10)
    project = window.controller.store.path
    log = project.with_name(project.name + "-wal")
    kept = {path: path.read_bytes() for path in (project, log) if path.exists()}
    window.controller.close()
    whole = project.read_bytes()
    if where == "header":
        project.write_bytes(b"\x00" * 100 + whole[100:])
    elif where == "page":
        middle = len(whole) // 8192 * 4096
        project.write_bytes(whole[:middle] + b"\xff" * 4096 + whole[middle + 4096 :])
    else:
        project.write_bytes(kept[project])
        log.write_bytes(kept.get(log, b"")[:-100])
    before = project.read_bytes()
    window.opener.open(project)
    if where == "log":
        # sqlite uses the complete part of its log, so the project opens with earlier changes.
        qtbot.waitUntil(lambda: window.model.rowCount() == 12, timeout=20000)
        return
    assert "damaged" in message_in(qtbot, window)
    assert project.read_bytes() == before
