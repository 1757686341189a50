"""The offer of names and terms: shown once, chosen by keys, and accepted as terms."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from anaphora.features.terms.feature import Terms
from anaphora.features.terms.first_sight import FoundIn
from anaphora.features.terms.first_sight_service import SEEN
from anaphora.features.terms.service import PROJECT
from anaphora.features.terms.view.first_sight_dialog import TERM, TRANSLATION
from anaphora.features.tm.feature import Tm

LEASE = Path(__file__).parents[2] / "golden" / "first_terms" / "lease.txt"


@pytest.fixture
def lease(tmp_path: Path) -> Path:
    """A contract whose parties and terms recur."""
    path = tmp_path / "租约.txt"
    shutil.copy(LEASE, path)
    return path


def is_seen(window) -> bool:
    """True if the project stores that it gets no more offers."""
    return bool(window.of(Tm).service.store.setting(SEEN.name))


def offered(qtbot, window) -> None:
    qtbot.waitUntil(window.of(Terms).bar.isVisible, timeout=60000)


def reviewed(qtbot, window):
    """Open the list of candidates."""
    offered(qtbot, window)
    qtbot.mouseClick(window.of(Terms).bar.review, Qt.MouseButton.LeftButton)
    dialog = window.of(Terms).first_sight.dialog
    assert dialog is not None and not dialog.isModal()
    return dialog


def row_of(dialog, text: str) -> int:
    return next(row for row, each in enumerate(dialog.model.candidates) if each.text == text)


def terms_of(window) -> dict[str, tuple[str, ...]]:
    terms = window.of(Terms).service.terms
    return {entry.source: entry.allowed for entry in terms.entries[PROJECT]} if terms else {}


@pytest.mark.slow
def test_an_accepted_candidate_becomes_a_term_and_its_segments_are_redrafted(
    qtbot, make_real_window, drafted, lease
) -> None:
    lines = LEASE.read_text("utf-8").splitlines()
    lease.write_text("\n".join((*lines[:16], *lines[-4:])) + "\n", "utf-8")
    window = make_real_window(lease)
    drafted(window)
    company = "杭州澄湖餐饮管理有限公司"
    holders = [segment.id for segment in window.session.document if company in segment.source]
    name = "Hangzhou Chenghu Catering Management Co., Ltd."
    assert not any(name in window.session.document.get(each).target for each in holders)
    with qtbot.waitSignal(window.of(Terms).offers.improved, timeout=60000):
        dialog = reviewed(qtbot, window)
    assert (company, name) in dialog.model.chosen()
    shop = next(each for each in dialog.model.candidates if each.text == "商铺")
    assert shop.source is FoundIn.AGREED  # results arrive while the list is open
    with qtbot.waitSignal(window.of(Terms).service.added, timeout=30000):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.of(Terms).first_sight.dialog is None, timeout=5000)
    assert terms_of(window)[company] == (name,)
    assert not window.of(Terms).bar.isVisible()
    qtbot.waitUntil(
        lambda: all(name in window.session.document.get(each).target for each in holders), timeout=60000
    )


def test_candidates_are_checked_and_edited_by_keys(qtbot, make_window, lease) -> None:
    window = make_window(path=lease)
    dialog = reviewed(qtbot, window)
    model, table = dialog.model, dialog.list
    assert model.candidates[0].text == "乙方" and model.is_ticked(0)
    qtbot.keyClick(table, Qt.Key.Key_Space)
    assert not model.is_ticked(0)
    qtbot.keyClick(dialog.none, Qt.Key.Key_Space)
    assert model.chosen() == [] and not dialog.add.isEnabled()
    row = row_of(dialog, "商铺")
    table.setCurrentIndex(model.index(row, TERM))
    assert "<b>商铺</b>" in dialog.example.text()
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Return)
    editor = table.indexWidget(model.index(row, TRANSLATION))
    line = editor.lineEdit()
    assert line.contentsRect().height() >= line.fontMetrics().height()  # the text is not cut off
    qtbot.keyClicks(line, "Shop")  # "shop" is offered
    model.improve(model.candidates)  # the model's result arrives during typing
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: model.chosen() == [("商铺", "Shop")], timeout=5000)
    assert window.of(Terms).first_sight.dialog is dialog  # Enter closes the editor, not the dialog
    dialog.add.click()
    qtbot.waitUntil(lambda: terms_of(window) == {"商铺": ("Shop",)}, timeout=30000)


def test_a_closed_offer_returns_only_on_request(qtbot, make_window, lease) -> None:
    window = make_window(path=lease)
    offered(qtbot, window)
    window.of(Terms).bar.close_button.click()
    assert not window.of(Terms).bar.isVisible()
    project = window.of(Tm).service.store.path
    window.controller.close()
    window.opener.open(project)
    qtbot.waitUntil(lambda: window.of(Terms).service.terms is not None, timeout=30000)
    assert is_seen(window)
    window.actions_by_name["first_sight"].trigger()
    qtbot.waitUntil(lambda: window.of(Terms).first_sight.dialog is not None, timeout=60000)
    assert len(window.of(Terms).first_sight.dialog.model.candidates) > 20
    window.of(Terms).first_sight.dialog.later.click()
    assert not window.of(Terms).bar.isVisible()


def test_short_and_foreign_documents_get_no_offer(qtbot, make_window, document, tmp_path) -> None:
    window = make_window(path=document)
    qtbot.waitUntil(lambda: window.of(Terms).service.terms is not None, timeout=30000)
    qtbot.waitUntil(lambda: not window.desk.tasks.is_busy, timeout=30000)
    assert not window.of(Terms).bar.isVisible()


def test_the_list_closes_with_its_document(qtbot, make_window, lease, document) -> None:
    window = make_window(path=lease)
    dialog = reviewed(qtbot, window)
    assert dialog.model.chosen()
    window.opener.open(document)
    qtbot.waitUntil(lambda: window.of(Terms).first_sight.dialog is None, timeout=20000)
    qtbot.waitUntil(lambda: window.of(Terms).service.terms is not None, timeout=30000)
    assert terms_of(window) == {}


def test_the_offer_can_be_reached_and_left_by_keys(qtbot, make_window, lease) -> None:
    window = make_window(path=lease)
    offered(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=30000)
    bar = window.of(Terms).bar
    for _ in range(6):
        window.actions_by_name["next_part"].trigger()
        if bar.review.hasFocus():
            break
    assert bar.review.hasFocus()
    qtbot.keyClick(bar.review, Qt.Key.Key_Space)
    assert window.of(Terms).first_sight.dialog is not None
    window.of(Terms).first_sight.dialog.reject()
    qtbot.waitUntil(window.table.editor.hasFocus, timeout=5000)
    qtbot.keyClick(bar.review, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    qtbot.waitUntil(lambda: is_seen(window), timeout=5000)  # a thread writes it
