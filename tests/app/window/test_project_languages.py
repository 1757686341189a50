"""The languages of a project can be set without a model for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from anaphora.core.segment import Status
from anaphora.editor.table.segment_model import Role
from anaphora.features.drafting.feature import Drafting
from anaphora.features.engine_state.feature import EngineState
from anaphora.features.help.feature import Help
from anaphora.features.models.feature import Models
from anaphora.features.models.view.project_languages import ProjectLanguagesDialog
from anaphora.project.translated_names import default_destination

TEXT = "Am 3. Tag endet der Vertrag. Beide Parteien unterschreiben ihn.\n\n12,5\n"


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    path = tmp_path / "vertrag.txt"
    path.write_text(TEXT, "utf-8")
    return path


def choose_pair(qtbot, window, source: str, target: str) -> None:
    """Choose the languages in the dialog."""
    window.actions_by_name["languages"].trigger()
    dialog = window.findChild(ProjectLanguagesDialog)
    for chooser, code in ((dialog.source, source), (dialog.target, target)):
        chooser.setCurrentIndex(chooser.findData(code))
        chooser.activated.emit(chooser.currentIndex())
    with qtbot.waitSignal(window.desk.models.switched, timeout=20000):
        dialog.accept()


def sources(window) -> list[str]:
    return [window.model.segment(row).source for row in range(window.model.rowCount())]


def headings(window) -> list[str]:
    return [window.model.headerData(column, Qt.Orientation.Horizontal) for column in (1, 3)]


def test_chosen_languages_are_stored(qtbot, make_window, contract):
    window = make_window(None, contract)
    controller, worker = window.controller, window.desk.worker
    qtbot.waitUntil(lambda: window.of(EngineState).languages_banner.isVisible(), timeout=20000)
    assert "This document contains no Chinese" in window.of(EngineState).languages_banner.text()
    assert sources(window)[:2] == ["Am 3.", "Tag endet der Vertrag."]
    with qtbot.waitSignal(worker.load_failed, timeout=20000):
        choose_pair(qtbot, window, "de", "fr")
    qtbot.waitUntil(lambda: len(sources(window)) == 2, timeout=20000)
    assert sources(window) == ["Am 3. Tag endet der Vertrag.", "Beide Parteien unterschreiben ihn."]
    qtbot.waitUntil(lambda: headings(window) == ["Deutsch", "français"], timeout=20000)
    assert (
        not window.of(EngineState).languages_banner.isVisible()
        and window.of(EngineState).no_model_banner.isVisible()
    )
    assert "project and its model have different languages" in window.of(EngineState).no_model_banner.text()
    rows = [window.model.segment(row) for row in range(2)]
    assert {segment.status for segment in rows} == {Status.NOT_STARTED}
    # checks use them: French has a blank before a question mark, and no text counts as Chinese
    controller.editing.type_text(rows[0].id, "Le contrat prend fin après 45 jours !")
    warnings = lambda: " ".join(map(str, window.model.index(0, 3).data(Role.WARNINGS)))  # noqa: E731
    qtbot.waitUntil(lambda: "45" in warnings(), timeout=20000)
    assert "blank" not in warnings()
    controller.editing.confirm(rows[0].id)
    assert default_destination(contract, controller.project.pair.of_texts).name == "vertrag.fr.txt"
    project = controller.store.path
    controller.close()
    window.opener.open(project)
    qtbot.waitUntil(lambda: window.model.rowCount() == 2, timeout=20000)
    assert headings(window) == ["Deutsch", "français"] and window.of(EngineState).no_model_banner.isVisible()
    # back to the languages of the model, which drafts again; confirmed text stays
    window.of(Models).controller.ask_project_languages()
    dialog = window.findChild(ProjectLanguagesDialog)
    assert dialog.others.isChecked() and dialog.source.currentData() == "de"
    dialog.as_model.setChecked(True)
    with qtbot.waitSignal(worker.loaded, timeout=20000):
        dialog.accept()
    qtbot.waitUntil(lambda: headings(window) == ["Chinese", "English"], timeout=20000)
    assert not window.of(EngineState).no_model_banner.isVisible()
    assert window.model.segment(0).target == "Le contrat prend fin après 45 jours !"
    assert sources(window)[0] == "Am 3. Tag endet der Vertrag."  # it has been translated


def test_translations_in_another_language_are_reported(qtbot, make_window, tmp_path):
    path = tmp_path / "ar.xlf"
    units = (("账本保存每个交易。", "دفتر الأستاذ يحفظ كل معاملة."), ("我们比较模型的性能。", ""))
    body = "".join(
        f'<trans-unit id="{number}"><source>{source}</source><target>{target}</target></trans-unit>'
        for number, (source, target) in enumerate(units)
    )
    path.write_text(
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" '
        f'source-language="zh" target-language="ar" datatype="plaintext"><body>{body}</body></file></xliff>',
        "utf-8",
    )
    window = make_window(None, path)
    qtbot.waitUntil(lambda: window.of(Help).engine is not None, timeout=20000)
    qtbot.wait(300)
    assert (
        window.of(EngineState).languages_banner.isVisible()
        and "not in English" in window.of(EngineState).languages_banner.text()
    )
    assert window.of(Drafting).service.paused
    assert window.model.segment(1).status is Status.NOT_STARTED
    option = window.table.editor.document().defaultTextOption()
    assert option.textDirection() is Qt.LayoutDirection.RightToLeft
    window.of(Drafting).service.set_paused(False)
    qtbot.waitUntil(lambda: window.model.segment(1).status is Status.DRAFT, timeout=20000)
