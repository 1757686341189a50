"""A project open in another process: the window names the user and the remedy, and opens it later."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from anaphora.core.segment import Status

HOLD = """
import sys
from pathlib import Path
from anaphora.project.store.project import ProjectStore
store = ProjectStore.open(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.readline()
store.close()
"""


def held_by_another(project: Path) -> subprocess.Popen[str]:
    """A process that has the project open until it reads a line."""
    command = [sys.executable, "-c", HOLD, str(project)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    return process


def boxes(window) -> list[QMessageBox]:
    return [box for box in window.findChildren(QMessageBox) if box.isVisible()]


@pytest.mark.slow
def test_a_project_that_is_open_elsewhere_is_reported_and_opens_later(
    qtbot, make_window, document, tmp_path
) -> None:
    window = make_window(path=document)
    controller, project = window.controller, window.controller.store.path
    controller.editing.type_text(window.model.segment(0).id, "The ledger.")
    assert controller.editing.confirm(window.model.segment(0).id)
    assert controller.close()
    other = tmp_path / "合同.zh.txt"
    other.write_text("甲方支付价款。\n", "utf-8")
    window.opener.open(other)
    qtbot.waitUntil(lambda: window.model.rowCount() == 1, timeout=20000)
    segment = window.model.segment(0).id
    controller.editing.type_text(segment, "Party A pays the price.")
    with held_by_another(project) as process:
        for path in (project, document):
            window.opener.open(path)
            qtbot.waitUntil(lambda: bool(boxes(window)), timeout=20000)
            (box,) = boxes(window)
            assert path.name in box.windowTitle()
            assert box.text().startswith("“指南.zh” has been open in another window on this computer since 2")
            assert box.informativeText() == "Continue in that window, or close it and try again."
            box.close()
            assert window.model.segment(0).target == "Party A pays the price.", "the open project stays"
            assert controller.path == other
        process.communicate("\n", timeout=60)
    window.opener.open(project)
    qtbot.waitUntil(lambda: window.model.rowCount() == 12, timeout=20000)
    first = window.model.segment(0)
    assert (first.target, first.status) == ("The ledger.", Status.CONFIRMED)
    window.opener.open(other)
    qtbot.waitUntil(lambda: window.model.rowCount() == 1, timeout=20000)
    assert window.model.segment(0).target == "Party A pays the price."
