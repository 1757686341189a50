"""Terms with several renderings: marked, stepped through, settled after a preview."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from anaphora.core.consistency import Rendering, TermReport
from anaphora.core.segment import Status
from anaphora.models.segment_model import Role
from anaphora.views.dialogs.rendering_preview import RenderingPreview, mark_changes


def report_of(window):
    """How 账本 reads in the drafts, as the service would find it."""
    renderings = []
    for text in ("ledger", "account book"):
        places = tuple(
            segment.id
            for segment in window.controller.session.document
            if "账本" in segment.source and text in segment.target.lower()
        )
        renderings.append(Rendering(text, places, (text,)))
    return TermReport("账本", tuple(renderings), 5)


def open_with_two_renderings(make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    editing = window.controller.editing
    rows = [row for row in range(12) if "账本" in window.model.segment(row).source]
    for row in rows:
        text = "The account book keeps it." if row == rows[0] else f"The ledger keeps it in {row}."
        editing.type_text(window.model.segment(row).id, text)
    editing.confirm(window.model.segment(rows[-1]).id)
    return window, rows


def test_inconsistent_segments_are_marked_and_stepped_through(make_window, document, drafted):
    window, rows = open_with_two_renderings(make_window, document, drafted)
    report = report_of(window)
    window.services.consistency.close()
    window.services.consistency.reported.emit((report,))
    marked = [row for row in range(12) if window.model.index(row, 0).data(Role.INCONSISTENT)]
    assert marked == rows
    terms = window.docks.consistency.terms
    item = terms.topLevelItem(0)
    seen = []
    for _ in rows:
        window.docks.consistency._step(item, 1)
        seen.append(window.table.currentIndex().row())
    assert sorted(seen) == rows


def test_one_rendering_everywhere_after_a_preview_never_in_confirmed_text(
    qtbot, make_window, document, drafted
):
    window, rows = open_with_two_renderings(make_window, document, drafted)
    report = report_of(window)
    window.services.consistency.reported.emit((report,))
    book = report.renderings[1]
    # The other segments may be drafted anew behind our back: the memory has just learned.
    before = [window.model.segment(row).target for row in rows]
    window.services.consistency.propose(report, book)
    qtbot.waitUntil(lambda: window.findChild(RenderingPreview) is not None, timeout=8000)
    dialog = window.findChild(RenderingPreview)
    changed = {preview.segment for preview in dialog.checked()}
    assert window.model.segment(rows[-1]).id not in changed, "it is confirmed"
    assert changed == {window.model.segment(row).id for row in rows[1:-1]}
    assert [window.model.segment(row).target for row in rows] == before, "nothing before agreement"

    dialog.list.topLevelItem(0).setCheckState(0, Qt.CheckState.Unchecked)
    kept = {preview.segment for preview in dialog.checked()}
    dialog.accept()
    for row in rows[1:-1]:
        segment = window.model.segment(row)
        assert ("account book" in segment.target) == (segment.id in kept)
    assert window.model.segment(rows[-1]).status is Status.CONFIRMED
    window.actions_by_name["undo"].trigger()
    assert [window.model.segment(row).target for row in rows] == before


def test_a_preview_does_not_wait_for_the_search_for_terms(qtbot, make_window, document, drafted):
    window, rows = open_with_two_renderings(make_window, document, drafted)
    service = window.services.consistency
    service.open(window.controller.session)
    report = report_of(window)
    with qtbot.waitSignal(service.proposed, timeout=8000) as proposed:
        service.propose(report, report.renderings[1])
    assert {preview.segment for preview in proposed.args[2]} == {
        window.model.segment(row).id for row in rows[1:-1]
    }


@pytest.mark.slow
def test_the_services_find_the_terms_of_a_drafted_document(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    with qtbot.waitSignal(
        window.services.consistency.reported,
        timeout=30000,
        check_params_cb=lambda reports: any(
            report.term == "缓存" and report.renderings for report in reports
        ),
    ):
        window.controller.editing.type_text(window.model.segment(2).id, "We update the cache.")


def test_changes_are_marked_word_by_word():
    before, after = mark_changes("the ledger <1>", "the account book <1>", "#ff0000")
    assert before == 'the <s style="color:#ff0000">ledger</s> &lt;1&gt;'
    assert after == 'the <b style="color:#ff0000">account book</b> &lt;1&gt;'
