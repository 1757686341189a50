"""The end of the process: whatever the window was doing, it ends with the status that it should have."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

COPIED = """
from PySide6.QtWidgets import QApplication
from anaphora.views.widgets.tag_edit import TagEdit
from anaphora.views.appearance.theme import Theme
application = QApplication([])
editor = TagEdit(Theme(application))
editor.setPlainText("copied")
editor.selectAll()
editor.copy()
assert application.clipboard().text() == "copied"
"""

QUIT_AFTER = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from anaphora import composition, main as program
made = composition.make_window
def make(*arguments):
    window = made(*arguments)
    QTimer.singleShot({milliseconds}, window.close)
    return window
composition.make_window = make
sys.exit(program.main(["--sample"]))
"""


def end_of(program: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        check=False,
    )


def test_a_process_that_has_copied_a_target_ends_well():
    done = end_of(COPIED)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("milliseconds", [50, 400, 1500, 6000])
@pytest.mark.slow
def test_a_window_that_is_closed_at_any_moment_ends_well(milliseconds):
    """While it starts, imports torch, loads the model, drafts."""
    done = end_of(QUIT_AFTER.format(milliseconds=milliseconds))
    assert done.returncode == 0, done.stderr
