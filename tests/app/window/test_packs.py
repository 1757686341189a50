"""Memory packs with the real engine: export, use in another document, undo and storage."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QListView

from anaphora.engine.pack_files import read_pack
from anaphora.features.packs.feature import Packs
from anaphora.features.packs.view.exchange import MemoryPacksDialog
from anaphora.features.steering.view.list_dialog import TimelineDialog


def targets(window) -> list[str]:
    return [window.model.segment(row).target for row in range(window.model.rowCount())]


@pytest.mark.slow
def test_a_pack_is_exported_and_used_in_another_document(qtbot, remembering, drafted, tmp_path):
    sources = [remembering.model.segment(row).source for row in range(5)]
    window, service = remembering, remembering.of(Packs).service
    pack = tmp_path / "terms.memory.json"
    with qtbot.waitSignal(service.written, timeout=30000):
        window.of(Packs).controller.export_file(pack)
    assert [source for source, _ in read_pack(pack).pairs] == [sources[0], sources[3]]

    other = tmp_path / "other.zh.txt"
    other.write_text("\n".join((sources[1], sources[4])) + "\n", encoding="utf-8")
    window.opener.open(other)
    qtbot.waitUntil(lambda: window.model.rowCount() == 2, timeout=30000)
    drafted(window)
    before = targets(window)
    with qtbot.waitSignal(window.desk.worker.steered, timeout=30000):
        service.read_file(pack)
    qtbot.waitUntil(
        lambda: "register" in targets(window)[0] and "accuracy" in targets(window)[1], timeout=30000
    )
    after = targets(window)
    window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: targets(window) == before, timeout=30000)
    window.actions_by_name["redo"].trigger()
    qtbot.waitUntil(lambda: targets(window) == after, timeout=30000)

    # It is stored in the project, and used again after reopening.
    project = window.controller.store.path
    window.controller.close()
    with qtbot.waitSignal(window.desk.worker.steered, timeout=30000):
        window.opener.open(project)
    assert [(each.name, len(each.pairs)) for each in service.packs] == [("terms", 2)]
    window.of(Packs).controller.list_packs()
    dialog = window.findChild(MemoryPacksDialog)
    assert dialog.list.item(0).text() == "terms (segments: 2)"

    dialog.remove.click()
    assert dialog.list.count() == 0 and service.packs == ()
    dialog.close()


@pytest.mark.slow
def test_the_timeline_restores_an_earlier_memory(qtbot, remembering):
    window = remembering
    after = targets(window)
    window.actions_by_name["memory_timeline"].trigger()
    steps = window.findChild(TimelineDialog).findChild(QListView)
    texts = [steps.model().index(row, 0).data() for row in range(steps.model().rowCount())]
    assert texts == [
        "when opened",
        "typing: segment 1",
        "confirming: segment 1",
        "typing: segment 4",
        "confirming: segment 4",
    ]
    steps.setCurrentIndex(steps.model().index(0, 0))
    qtbot.waitUntil(lambda: "register" not in " ".join(targets(window)[1:]), timeout=30000)
    steps.setCurrentIndex(steps.model().index(4, 0))
    qtbot.waitUntil(lambda: targets(window) == after, timeout=30000)
    window.findChild(TimelineDialog).close()
