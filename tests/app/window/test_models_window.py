"""The Models page: a model is dropped, installed, chosen for a project, and reported when it is missing."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox
from selecting import drop
from small_model import save_small_model

from anaphora.core.installed_model import ChosenModel
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import SegmentState, Status
from anaphora.editor.widgets.filter_chips import Shown
from anaphora.engine.model_files import installed_models, looks_like_model
from anaphora.features.drafting.feature import Drafting
from anaphora.features.engine_state.feature import EngineState
from anaphora.features.filter.feature import Filter
from anaphora.features.models.feature import Models
from anaphora.system.locations import models_folder

TEXTS = ["The contract ends on the first of May.", "Both parties sign it.", "Der Vertrag endet im Mai."]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An English-German model as it was downloaded."""
    return save_small_model(tmp_path_factory.mktemp("given") / "opus-mt-en-de", TEXTS, "en", "de")


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    path = tmp_path / "contract.txt"
    path.write_text("\n".join(TEXTS[:2]) + "\n12.5\n", "utf-8")
    return path


def install(qtbot, window, path: Path) -> None:
    with qtbot.waitSignal(window.desk.models.installed, timeout=60000):
        drop(window, path)
    qtbot.waitUntil(lambda: window.of(Models).controller.dialog.list.topLevelItemCount() == 2, timeout=30000)


@pytest.mark.slow
def test_a_dropped_model_drafts_the_project_that_chooses_it(qtbot, make_window, given, contract, tmp_path):
    packed = Path(shutil.make_archive(str(tmp_path / "opus-en-de"), "zip", given.parent, given.name))
    window = make_window(None, contract)
    copied = [window.model.segment(row).target for row in range(2)]
    assert copied == TEXTS[:2]  # it contains no Chinese
    install(qtbot, window, packed)
    dialog = window.of(Models).controller.dialog
    item = dialog.list.topLevelItem(1)
    assert item.text(0) == "opus-en-de" and "→ Deutsch" in item.text(1) and "OPUS-MT" in item.text(2)
    dialog.list.setCurrentItem(item)
    assert "CC-BY 4.0" in dialog.licence.toPlainText()
    with qtbot.waitSignal(window.desk.worker.loaded, timeout=60000) as loaded:
        dialog.use_button.click()
    assert (loaded.args[0].model, loaded.args[0].target_language) == ("opus-en-de", "de")
    drafting = window.of(Drafting).service
    qtbot.waitUntil(lambda: drafting.progress.done == 2 and not drafting.progress.active, timeout=60000)
    drafts = [window.model.segment(row).target for row in range(2)]
    assert all(drafts) and not set(drafts) & set(copied)
    horizontal = Qt.Orientation.Horizontal
    assert [window.model.headerData(section, horizontal) for section in (1, 3)] == ["English", "Deutsch"]
    assert not dialog.remove_button.isEnabled() and "Deutsch" in window.of(EngineState).status.engine.text()
    kept = ChosenModel.from_text(window.controller.store.setting("model"))
    assert (kept.name, kept.source, kept.target) == ("opus-en-de", "en", "de")
    dialog.close()


def test_languages_chosen_while_a_file_is_examined_are_kept_when_the_project_is_left(
    qtbot, make_window, contract, monkeypatch
):
    looked = threading.Event()
    monkeypatch.setattr("anaphora.project.models.looks_like_model", lambda path: not looked.wait(20))
    window = make_window(None, contract)
    project, models = window.controller.store.path, window.desk.models
    models.recognise(contract)
    models.choose_languages(LanguagePair("zh", "de"))
    assert window.controller.close()
    looked.set()
    with qtbot.waitSignal(window.controller.opened, timeout=30000):
        window.opener.open(project)
    assert models.chosen_languages == LanguagePair("zh", "de")


@pytest.mark.slow
def test_a_missing_model_is_named_and_the_project_is_unchanged(qtbot, make_window, given, contract):
    window = make_window(None, contract)
    install(qtbot, window, given)
    dialog = window.of(Models).controller.dialog
    dialog.list.setCurrentItem(dialog.list.topLevelItem(1))
    with qtbot.waitSignal(window.controller.opened, timeout=30000):  # read again, in English
        dialog.use_button.click()
    dialog.close()
    segment = window.model.segment(0)
    window.controller.editing.type_text(segment.id, "Der Vertrag.")
    window.controller.editing.confirm(segment.id)
    project = window.controller.store.path
    window.controller.close()
    shutil.rmtree(models_folder() / "opus-mt-en-de")
    with qtbot.waitSignal(window.desk.worker.load_failed, timeout=20000):
        window.opener.open(project)
    banner = window.of(EngineState).no_model_banner
    assert "opus-mt-en-de" in banner.text() and banner.isVisible()
    assert window.model.segment(0).target == "Der Vertrag."
    window.controller.editing.type_text(window.model.segment(1).id, "Beide.")
    assert window.model.segment(1).target == "Beide."
    # after choosing the app's own model, it drafts again
    window.of(Models).controller.open_dialog()
    qtbot.waitUntil(lambda: window.of(Models).controller.dialog.list.topLevelItemCount() == 1, timeout=30000)
    window.of(Models).controller.dialog.list.setCurrentItem(
        window.of(Models).controller.dialog.list.topLevelItem(0)
    )
    with qtbot.waitSignal(window.desk.worker.loaded, timeout=20000):
        window.of(Models).controller.dialog.use_button.click()
    assert not window.of(EngineState).no_model_banner.isVisible()
    window.of(Models).controller.dialog.close()


def test_the_apps_own_model_has_a_licence(qtbot, make_window):
    window = make_window()
    window.of(Models).controller.open_dialog()
    dialog = window.of(Models).controller.dialog
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 1, timeout=30000)
    dialog.list.setCurrentItem(dialog.list.topLevelItem(0))
    licence = dialog.licence.toPlainText()
    assert "CC BY-SA 4.0" in licence and "MIT License" in licence
    dialog.close()


@pytest.mark.slow
def test_changes_of_model_or_languages_are_reported(qtbot, make_window, given, contract, tmp_path):
    window = make_window(None, contract)
    messages: list[str] = []
    window.of(Models).controller.announced.connect(messages.append)
    again = Path(shutil.copytree(given, tmp_path / "another-en-de"))
    install(qtbot, window, given)
    with qtbot.waitSignal(window.desk.models.installed, timeout=60000):
        drop(window, again)
    dialog = window.of(Models).controller.dialog
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 3, timeout=30000)

    def choose(name: str) -> str:
        rows = {dialog.list.topLevelItem(row).text(0): row for row in range(3)}
        dialog.list.setCurrentItem(dialog.list.topLevelItem(rows[name]))
        qtbot.waitUntil(dialog.use_button.isEnabled, timeout=30000)  # documents may be read again
        messages.clear()
        with qtbot.waitSignal(window.desk.models.switched, timeout=30000):
            dialog.use_button.click()
        return " ".join(messages)

    first = choose("opus-mt-en-de")
    assert "translates from English into Deutsch" in first and "now uses opus-mt-en-de" in first
    assert choose("another-en-de") == (
        "This project now uses another-en-de. "
        "Drafts that you have not edited are made again. Your own text does not change."
    )
    own = choose(dialog.list.topLevelItem(0).text(0))
    assert "from Chinese into English" in own and "the model that comes with Anaphora" in own
    dialog.close()


@pytest.mark.slow
def test_another_model_redoes_untouched_drafts(qtbot, make_window, given, contract, tmp_path):
    window = make_window(None, contract)
    other = save_small_model(tmp_path / "other-en-de", [*reversed(TEXTS), "Mai endet."], "en", "de")
    install(qtbot, window, given)
    with qtbot.waitSignal(window.desk.models.installed, timeout=60000):
        drop(window, other)
    dialog, drafting = window.of(Models).controller.dialog, window.of(Drafting).service
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 3, timeout=30000)

    def use(row: int) -> None:
        dialog.list.setCurrentItem(dialog.list.topLevelItem(row))
        qtbot.waitUntil(dialog.use_button.isEnabled, timeout=30000)
        with qtbot.waitSignal(window.desk.worker.loaded, timeout=60000):
            dialog.use_button.click()

    use(1)
    qtbot.waitUntil(lambda: drafting.progress.done == 2 and not drafting.progress.active, timeout=60000)
    first = [window.model.segment(row).target for row in range(2)]
    window.controller.editing.type_text(window.model.segment(1).id, "Beide.")
    # the draft has changed since it was displayed
    session, changed, redrafted = (
        window.controller.session,
        window.of(Drafting).changed_drafts,
        window.model.segment(0),
    )
    window.table.go_to_row(1)
    session.set_states({redrafted.id: SegmentState("Anders.", Status.DRAFT)})
    assert changed.segment_ids == (redrafted.id,)
    use(2)
    assert not changed.segment_ids, "the drafts of the old model are not compared"
    qtbot.waitUntil(lambda: window.model.segment(0).target not in (first[0], "Anders."), timeout=60000)
    qtbot.waitUntil(lambda: not drafting.progress.active, timeout=60000)
    assert window.model.segment(0).status is Status.DRAFT and window.model.segment(1).target == "Beide."
    # differences from another model do not count as changes; changes by the memory do
    chips, counted = window.of(Filter).strip.chips, [*Shown].index(Shown.CHANGED)
    assert not changed.segment_ids
    qtbot.waitUntil(lambda: "1" not in chips.tabText(counted), timeout=5000)
    session.set_states({redrafted.id: SegmentState("Noch anders.", Status.DRAFT)})
    assert changed.segment_ids == (redrafted.id,)
    qtbot.waitUntil(lambda: "1" in chips.tabText(counted), timeout=5000)
    dialog.close()


@pytest.mark.slow
def test_a_damaged_model_is_refused_and_leaves_no_files(qtbot, make_window, given, tmp_path):
    window = make_window()
    broken = shutil.copytree(given, tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"no weights")
    with qtbot.waitSignal(window.desk.models.failed, timeout=60000):
        drop(window, broken)
    box = window.findChild(QMessageBox)
    assert box is not None and "damaged" in box.text()
    box.close()
    assert installed_models(models_folder()) == ()
    window.of(Models).controller.dialog.close()


@pytest.mark.slow
def test_an_installation_can_be_cancelled_and_a_model_removed(qtbot, make_window, given):
    window = make_window()
    install(qtbot, window, given)
    models, dialog = window.desk.models, window.of(Models).controller.dialog

    with qtbot.waitSignal(models.ended, timeout=30000):
        window.of(Models).controller.install(given)
        window.of(Models).controller.progress.cancel_requested.emit()
    assert [model.name for model in installed_models(models_folder())] == ["opus-mt-en-de"]
    dialog.list.setCurrentItem(dialog.list.topLevelItem(1))
    assert not dialog.use_button.isEnabled()  # no project is open
    dialog.remove_button.click()
    box = window.findChild(QMessageBox)
    with qtbot.waitSignal(models.listed, timeout=30000):
        next(button for button in box.buttons() if button.text() == "Remove").click()
    assert installed_models(models_folder()) == () and dialog.list.topLevelItemCount() == 1
    dialog.close()


def test_documents_are_not_models(qtbot, make_window, document, tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    shutil.copy(document, folder)
    assert not looks_like_model(folder) and not looks_like_model(document)
    window = make_window()
    drop(window, folder)
    qtbot.waitUntil(lambda: window.model.rowCount() == 12, timeout=20000)


def test_a_model_with_an_unreadable_card_is_marked_in_the_list(tmp_path):
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "anaphora.json").write_text("[1]")
    (model,) = installed_models(tmp_path)
    assert (model.name, model.kind) == ("odd", "")
    assert ChosenModel.from_text("nonsense") == ChosenModel.from_text('{"folder": 1}') == ChosenModel()


@pytest.mark.slow
def test_a_models_memory_is_fitted_on_confirmed_segments(qtbot, make_window, given, tmp_path):
    path = tmp_path / "many.txt"
    path.write_text("".join(f"The party {number} signs it.\n" for number in range(90)), "utf-8")
    window = make_window(None, path)
    install(qtbot, window, given)
    models, dialog = window.desk.models, window.of(Models).controller.dialog
    dialog.list.setCurrentItem(dialog.list.topLevelItem(0))
    assert not dialog.fit_button.isEnabled(), "the app's own model is already fitted"
    dialog.list.setCurrentItem(dialog.list.topLevelItem(1))
    with qtbot.waitSignal(models.failed, timeout=60000):
        dialog.fit_button.click()
    box = window.findChild(QMessageBox)
    assert box is not None and "85 segments are needed" in box.text()
    box.close()
    with (
        qtbot.waitSignal(window.desk.worker.loaded, timeout=60000),
        qtbot.waitSignal(window.controller.opened, timeout=60000),
    ):
        dialog.use_button.click()
    editing = window.controller.editing
    for number in range(90):
        segment = window.model.segment(number)
        editing.type_text(segment.id, f"Die Partei {number} im Mai.")
        editing.confirm(segment.id)
    qtbot.waitUntil(lambda: window.controller.project.autosave.is_clean, timeout=30000)
    card = models_folder() / "opus-mt-en-de" / "anaphora.json"
    before = card.read_text("utf-8")
    with (
        qtbot.waitSignal(window.desk.worker.loaded, timeout=120000),
        qtbot.waitSignal(models.fitted, timeout=120000) as fitted,
    ):
        dialog.fit_button.click()
    (found,) = fitted.args
    assert found.is_better and found.pairs == 75 and card.read_text("utf-8") != before
    dialog.close()
