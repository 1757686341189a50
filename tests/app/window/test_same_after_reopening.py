"""The window's data about drafts of the real engine stays the same until they are edited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from shown_texts import shown_texts

from anaphora.cli.checked_texts import read_texts
from anaphora.cli.findings import Reference, find
from anaphora.core.drafts import proposal_of
from anaphora.editor.table.segment_model import Role
from anaphora.editor.widgets.filter_chips import Shown
from anaphora.features.checks.feature import Checks
from anaphora.features.checks.view.dialog import ChecksDialog
from anaphora.features.documents.feature import Documents
from anaphora.features.drafting.feature import Drafting
from anaphora.features.export.view.dialog import ExportDialog
from anaphora.features.filter.feature import Filter
from anaphora.features.quality.feature import Quality
from anaphora.features.segments.feature import Segments
from anaphora.features.spelling.speller import Speller
from anaphora.system.locations import dictionaries, own_words_path, training_words

LINES = (
    "TensorFlow 基础知识",
    "本文档的每个部分都是更大主题的概述。",
    "共 42 个节点。",
    "张量是多维数组。",
    "他装配雷管，拉开插销，扔了出去。",
    "乌鸦张开嘴，肉就掉了下来。",
    "质保金于竣工验收合格满两年后十五日内无息退还乙方。",
    "林秋生把烟灰弹在青石板上，半晌没有作声。",
)


def chip_text(window, shown: Shown) -> str:
    return window.of(Filter).strip.chips.tabText([*Shown].index(shown))


def complete(qtbot, window) -> None:
    """Wait for all checks and for the chips."""
    qtbot.waitUntil(lambda: window.of(Checks).service.is_complete, timeout=60000)
    count = window.of(Checks).service.issue_count
    qtbot.waitUntil(
        lambda: chip_text(window, Shown.ISSUES) == (f"Issues  {count}" if count else "Issues"), timeout=20000
    )


def by_f8(window) -> set[str]:
    """The segments that F8 visits."""
    window.table.go_to_row(0)
    seen: list[str] = []
    while True:
        window.of(Checks).go_to_warning()
        current = window.table.current_segment.id
        if current in seen or "found no issues" in window.status_line.currentMessage():
            return {*seen}
        seen.append(current)


def displayed(qtbot, window) -> dict[str, Any]:
    """The window's data about issues and doubtful drafts, by part of the window."""
    document, model = window.session.document, window.model
    checking, confidence = window.of(Checks).service, window.of(Quality).confidence
    issues = {each.id for each in document if checking.has_issue(each.id)}
    unsure = {each.id for each in document if confidence.is_unsure(each.id)}
    proposed = {each.id: proposal_of(each.state) for each in document if confidence.is_proposed(each.id)}
    tints = {each.id: confidence.doubtful_words(each.id) for each in document}
    rows = [model.index(row, 0) for row in range(model.rowCount())]
    listed = {segment for segment, _, dismissed in checking.remarks() if not dismissed}
    window.of(Checks).open_dialog()
    (dialog,) = window.findChildren(ChecksDialog)
    about = shown_texts(dialog)[0]
    dialog.close()
    window.of(Documents).files.choose_destination()
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is not None, timeout=20_000)
    (export,) = [each for each in window.findChildren(ExportDialog) if each.isVisible()]
    qtbot.waitUntil(
        lambda: not any("still checking" in text for text in export.summary.texts), timeout=20_000
    )
    flagged = [text for text in export.summary.texts if "with issues" in text]
    export.reject()
    assert by_f8(window) == issues | unsure | proposed.keys() and listed == issues
    assert [bool(index.data(Role.UNSURE)) for index in rows] == [each.id in unsure for each in document]
    assert flagged == ([f"{len(issues)} with issues"] if issues else [])
    assert about == (f"Segments with issues: {len(issues)}" if issues else "The checks found no issues.")
    chips = {shown: chip_text(window, shown) for shown in (Shown.ISSUES, Shown.UNSURE, Shown.PROPOSED)}
    return {"issues": issues, "unsure": unsure, "proposed": proposed, "tints": tints, "chips": chips}


@pytest.mark.slow
def test_issues_and_doubts_are_unchanged_by_visits_and_reopening(
    qtbot, make_real_window, drafted, tmp_path: Path
) -> None:
    path = tmp_path / "文.zh.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    window = make_real_window(path)
    drafted(window)
    segment = window.session.document.at(2)
    window.controller.editing.type_text(segment.id, "There are nodes.")
    for row in (0, 1):
        window.table.go_to_row(row)
        window.of(Segments).actions.confirm()
    queue = window.desk.worker.queue
    qtbot.wait(500)
    qtbot.waitUntil(
        lambda: not queue.has_drafts() and not window.of(Drafting).service.progress.active, timeout=60000
    )
    complete(qtbot, window)
    first = displayed(qtbot, window)
    assert first["proposed"] and first["issues"], "the comparison must not be empty"
    for row in range(window.model.rowCount()):
        window.table.go_to_row(row)
        qtbot.wait(60)
    qtbot.wait(1500)
    complete(qtbot, window)
    assert displayed(qtbot, window) == first, "visits change nothing"
    project = window.controller.store.path
    qtbot.waitUntil(window.close, timeout=20000)
    again = make_real_window(path)
    qtbot.waitUntil(lambda: again.session is not None, timeout=60000)
    complete(qtbot, again)
    assert displayed(qtbot, again) == first, "reopening changes nothing"
    languages = again.controller.project.pair.languages
    again.close()
    reference = Reference(Speller(dictionaries(), own_words_path(), training_words()))
    found = list(find(read_texts(project, languages), reference))
    assert {each.segment for each in found} == first["issues"]
