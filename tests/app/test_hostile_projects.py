"""Projects of strangers: nothing freezes, fills the memory, is lost, or is read outside."""

from __future__ import annotations

import random
import resource
import time
from pathlib import Path

import pytest
from hostile_projects import CONFIRMED, KINDS, craft

from anaphora.services.opening import open_project

MEBIBYTE = 2**20


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
    controller, services = window.controller, window.services
    for service in (services.packs, services.steering):
        service.failed.connect(said.append)
    controller.open(craft(tmp_path / "a.anaphora", tmp_path / "a.txt", *kinds))
    qtbot.waitUntil(lambda: controller.session is not None, timeout=30000)
    assert controller.session.document.at(0).target == CONFIRMED
    qtbot.waitUntil(lambda: services.memory.memories is not None, timeout=30000)
    controller.editing.type_text(controller.session.document.at(1).id, "Each node reads it.")
    qtbot.waitUntil(lambda: controller._autosave.clean, timeout=30000)
    assert services.terms._session is not None and services.consistency._session is not None
    assert any("memory packs" in text for text in said)
