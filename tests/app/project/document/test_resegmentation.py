"""Joins and splits are planned from the project's data, without reading a file."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from pytestqt.qtbot import QtBot

from anaphora.core.segment import Segment
from anaphora.formats import registry
from anaphora.project.document.following import OpenProject
from anaphora.project.document.resegmentation import ResegmentationService
from anaphora.project.document.resegmentation_plan import ResegmentationPlan
from anaphora.project.document.session import DocumentSession
from anaphora.project.opening import LoadedProject, open_paths
from anaphora.system.background import BackgroundTasks


@pytest.fixture
def opened(tmp_path: Path) -> LoadedProject:
    """A project of a text and a catalogue."""
    (tmp_path / "a.txt").write_text("甲句。乙句，丙。\n丁句。\n", "utf-8")
    (tmp_path / "b.po").write_text('msgid "甲句。乙句。"\nmsgstr ""\n', "utf-8")
    return open_paths([tmp_path / "a.txt", tmp_path / "b.po"])


@pytest.fixture
def service(qtbot: QtBot, opened: LoadedProject) -> ResegmentationService:
    service = ResegmentationService(BackgroundTasks())
    session = DocumentSession("d", opened.document)
    service.follow(cast(OpenProject, SimpleNamespace(session=session, store=opened.store, save_setting=None)))
    return service


def row(opened: LoadedProject, source: str) -> Segment:
    return next(segment for segment in opened.document if segment.source.startswith(source))


def test_joining_and_splitting_read_no_file(
    qtbot: QtBot, opened: LoadedProject, service: ResegmentationService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(opened.store), "original", lambda *_: pytest.fail("the original was read"))
    monkeypatch.setattr(registry, "OpenFile", lambda *_: pytest.fail("a file was parsed"))
    found: list[ResegmentationPlan] = []
    service.planned.connect(found.append)
    with qtbot.waitSignal(service.planned, timeout=30000):
        service.merge(row(opened, "甲句").id)
    with qtbot.waitSignal(service.planned, timeout=30000):
        service.split(row(opened, "乙句").id, 3)
    joined, split = ([segment.source for segment in plan.after] for plan in found)
    assert (joined, split) == (["甲句。乙句，丙。"], ["乙句，", "丙。"])
    opened.store.close()


@pytest.mark.parametrize(
    ("source", "why"),
    [("乙句", "last segment of its paragraph"), ("丁句", "last segment"), ("甲句。乙", "cannot be joined")],
)
def test_impossible_joins_report_the_reason(
    qtbot: QtBot, opened: LoadedProject, service: ResegmentationService, source: str, why: str
) -> None:
    with qtbot.waitSignal(service.failed, timeout=30000) as said:
        service.merge(row(opened, source).id)
    assert said.args is not None and why in said.args[0]
    opened.store.close()


def test_a_damaged_paragraph_is_reported(
    qtbot: QtBot, opened: LoadedProject, service: ResegmentationService
) -> None:
    with opened.store.writing() as connection:
        connection.execute("UPDATE blocks SET shape = '[]'")
    with qtbot.waitSignal(service.failed, timeout=30000) as said:
        service.merge(row(opened, "甲句").id)
    assert said.args is not None and "differ from those in the project" in said.args[0]
    opened.store.close()
