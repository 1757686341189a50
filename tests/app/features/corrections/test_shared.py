"""The file of corrections that apply in all projects, and their scope in the list."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from anaphora.features.corrections.shared import change_shared, read_shared
from anaphora.features.corrections.view.panel import CorrectionReach, CorrectionsPanel
from anaphora_nmt.types import Correction

WORDS = [Correction(f"词{number}", "word", "term", everywhere=True) for number in range(40)]


def test_changes_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "data" / "corrections.json"
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda each: change_shared(path, (), (each,)), WORDS))
    assert set(read_shared(path)) == set(WORDS)


def test_a_damaged_file_that_cannot_be_renamed_counts_as_empty(tmp_path: Path) -> None:
    path = tmp_path / "corrections.json"
    path.write_text("[{", "utf-8")
    (tmp_path / "corrections.json.damaged" / "folder").mkdir(parents=True)
    assert read_shared(path) == ()


@pytest.mark.parametrize("everywhere", [True, False])
def test_a_correction_of_another_project_cannot_be_limited_to_a_document(qtbot, everywhere: bool) -> None:
    panel = CorrectionsPanel(lambda segment: 0)
    qtbot.addWidget(panel)
    panel.show_corrections((Correction("告警", "alarm", "alert", everywhere=everywhere),), ())
    chosen: list[CorrectionReach] = []
    panel.reach_requested.connect(lambda _, reach: chosen.append(reach))
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_Home):
        QTest.keyClick(panel.reach, key)
    assert chosen and CorrectionReach.DOCUMENT not in chosen
