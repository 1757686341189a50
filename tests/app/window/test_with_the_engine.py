"""Work on the real engine's drafts: checks, spelling, pre-translation and replacing."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtTest import QTest
from shown_texts import button

from anaphora.core.drafts import proposal_of
from anaphora.core.matching import Unit
from anaphora.core.segment import Status
from anaphora.core.term_entries import TargetTerm, TermEntry, Usage
from anaphora.editor.table.segment_model import Role
from anaphora.features.checks.segment.check import RemarkKind
from anaphora.features.checks.view.dialog import ChecksDialog
from anaphora.features.find.feature import Find
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.feature import Tm
from anaphora.features.tm.memories import PROJECT

CONTROL = Qt.KeyboardModifier.ControlModifier
WAVE = QTextCharFormat.UnderlineStyle.WaveUnderline


@pytest.fixture
def open_text(qtbot, make_real_window, tmp_path, drafted):
    """Opens a text and waits for its drafts."""

    def open_(*lines: str):
        path = tmp_path / "文.zh.txt"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        window = make_real_window(path)
        drafted(window)
        return window

    return open_


def type_in(window, row: int, text: str) -> None:
    window.table.go_to_row(row)
    window.table.editor.selectAll()
    if text.isascii():
        QTest.keyClicks(window.table.editor, text)
    else:  # it cannot be typed with keys
        window.table.editor.insertPlainText(text)


def targets(window) -> list[str]:
    return [segment.target for segment in window.session.document]


def kinds(window, row: int) -> set[RemarkKind]:
    return {each.kind for each in window.model.index(row, 0).data(Role.WARNINGS) or ()}


def misspelt(window) -> list[str]:
    selections = window.table.editor.extraSelections()
    return [s.cursor.selectedText() for s in selections if s.format.underlineStyle() is WAVE]


@pytest.mark.slow
def test_typed_text_is_checked_and_fixed(qtbot, open_text) -> None:
    window = open_text(
        "张伟东昨天来到北京。",
        "张伟东今天离开了北京。",
        "会议于二〇二五年六月三十日举行。",
        "缓存保存三十七亿个交易。",
    )
    terms = window.of(Terms).service
    with qtbot.waitSignal(terms.stored, timeout=30000):
        terms.write(
            "project", TermEntry("缓存", (TargetTerm("larder"), TargetTerm("cache", Usage.FORBIDDEN)))
        )
    type_in(window, 0, "Yesterday Zhang Weidong came to Beijing.")
    type_in(window, 1, "Today Zhang Weidang left Beijing.")
    type_in(window, 2, "The meeting was held on June 30, 2035.")
    type_in(window, 3, "The cache keeps the the 3.7 billion transactures.")
    wanted = [
        set(),
        {RemarkKind.NAMES},
        {RemarkKind.NUMBERS},
        {RemarkKind.TERMS, RemarkKind.WORDING},
    ]
    warning = "Unknown word: “transactures” (not in the dictionaries, the source or confirmed text)."
    qtbot.waitUntil(lambda: [kinds(window, row) for row in range(4)] == wanted, timeout=20000)
    warnings = window.model.index(3, 0)
    qtbot.waitUntil(lambda: warning in (warnings.data(Role.WARNINGS) or ()), timeout=20000)
    qtbot.waitUntil(lambda: misspelt(window) == ["transactures"], timeout=20000)
    window.actions_by_name["checks"].trigger()
    dialog = window.findChild(ChecksDialog)
    dialog.kinds.setCurrentIndex(dialog.kinds.findData(RemarkKind.NAMES))
    assert dialog.list.count() == 1 and "Weidong" in dialog.list.item(0).text()
    dialog.close()
    window.table.go_to_row(0)
    for row in (1, 2, 3):
        window.actions_by_name["next_warning"].trigger()
        assert window.table.currentIndex().row() == row
    type_in(window, 1, "Today Zhang Weidong left Beijing.")
    type_in(window, 2, "The meeting was held on June 30, 2025.")
    type_in(window, 3, "The larder keeps 3.7 billion transactions.")
    qtbot.waitUntil(lambda: not any(kinds(window, row) for row in range(4)), timeout=20000)
    qtbot.waitUntil(lambda: misspelt(window) == [], timeout=20000)


ALONE = {
    "我们更新缓存，然后读取账本。": ("We update 缓存, then read the ledger.", {RemarkKind.LEFT_OVER}),
    "账本在这里。": ("The ledger is here .", {RemarkKind.WORDING}),
    "节点在哪里？": ("The nodes are here.", {RemarkKind.WORDING}),
    "每个节点读取账本，然后更新缓存。": ("Nodes.", {RemarkKind.LENGTH}),
}
TOGETHER = {
    "打开文件夹。": ("Open the whole folder.", {RemarkKind.CONSISTENCY}),
    "删除缓存记录。": ("Open the whole folder.", {RemarkKind.CONSISTENCY}),
    "关闭文件。": ("Close the file.", {RemarkKind.CONSISTENCY}),
    "关闭文件。 ": ("Shut the file.", {RemarkKind.CONSISTENCY}),
}


@pytest.mark.slow
@pytest.mark.parametrize("typed", [ALONE, TOGETHER], ids=["of one segment", "of several"])
def test_other_kinds_of_checks_run_while_typing(qtbot, open_text, typed) -> None:
    window = open_text("名称", *typed)
    for row, (text, _) in enumerate(typed.values(), 1):
        type_in(window, row, text)
    wanted = [kind for _, kind in typed.values()]
    qtbot.waitUntil(lambda: [kinds(window, row) for row in range(1, 5)] == wanted, timeout=30000)
    window.actions_by_name["checks"].trigger()
    dialog = window.findChild(ChecksDialog)
    for kind in set.union(*wanted):
        dialog.kinds.setCurrentIndex(dialog.kinds.findData(kind))
        shown = [dialog.list.item(row).text() for row in range(dialog.list.count())]
        assert [int(text.split()[0]) for text in shown] == [
            row + 2 for row, kinds_there in enumerate(wanted) if kind in kinds_there
        ]
    dialog.close()
    window.table.go_to_row(0)
    for row in range(1, 5):
        window.actions_by_name["next_warning"].trigger()
        assert window.table.currentIndex().row() == row


@pytest.mark.slow
def test_a_lost_format_string_of_a_catalogue_is_found(qtbot, make_real_window, tmp_path, drafted) -> None:
    path = tmp_path / "en.po"
    entries = (
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: en\\n"\n',
        '#, c-format\nmsgid "打开 %s 的 %d 个文件"\nmsgstr ""\n',
        '#, python-brace-format\nmsgid "你好，{name}"\nmsgstr ""\n',
    )
    path.write_text("\n".join(entries), encoding="utf-8")
    window = make_real_window(path)
    drafted(window)
    assert [kinds(window, row) for row in range(2)] == [set(), set()], "the engine copies them"
    type_in(window, 0, "Open the files")
    type_in(window, 1, "Hello")
    qtbot.waitUntil(
        lambda: [kinds(window, row) for row in range(2)] == [{RemarkKind.TAGS}] * 2, timeout=30000
    )


@pytest.mark.slow
def test_pre_translation_counts_fills_and_is_undone_in_one_step(qtbot, open_text) -> None:
    window = open_text("打开文件。", "打开全部文件。", "第12章有31页。", "缓存", "每个节点读取账本。")
    window.of(Tm).service.memories.project.add(
        [Unit("打开文件。", "Open up the file."), Unit("第3章有20页。", "Chapter 3: 20 pages.")]
    )
    with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000):
        window.of(Terms).service.write("project", TermEntry("缓存", (TargetTerm("larder"),)))
    # Segments with the term are drafted again, and may get proposals.
    state = lambda: window.session.document.at(3).state  # noqa: E731
    qtbot.waitUntil(lambda: "larder" in f"{state().target} {proposal_of(state())}".lower(), timeout=30000)
    type_in(window, 4, "Mine.")
    before = targets(window)

    def ask():
        window.actions_by_name["pretranslate"].trigger()
        dialog = window.of(Tm).pretranslation.dialog
        qtbot.waitUntil(lambda: dialog.progress.isHidden(), timeout=20000)
        return dialog

    dialog = ask()
    rows = [dialog.counts.topLevelItem(n) for n in range(dialog.counts.topLevelItemCount())]
    shown = [[row.text(column) for column in range(3)] for row in rows]
    assert shown == [
        ["Exact match", "1", "1"],
        ["Adapted: different tags, numbers, case or character width", "1", "1"],
        ["Fuzzy match, 60–74%", "1", "0"],
        ["Terms", "1", "1"],
    ]
    assert targets(window) == before, "nothing changes before the user agrees"
    dialog.drafts.setChecked(False)
    assert not dialog.chosen and not dialog.fill.isEnabled()
    dialog.drafts.setChecked(True)
    dialog.lowest.setValue(70)
    dialog.fill.click()
    wanted = ["Open up the file.", "Open up the file.", "Chapter 12: 31 pages.", "larder", "Mine."]
    assert targets(window) == wanted
    assert {window.model.segment(row).status for row in range(5)} == {Status.EDITED}
    assert "Pre-translated segments: 4" in window.status_line.currentMessage()
    window.actions_by_name["undo"].trigger()
    assert targets(window) == before
    window.actions_by_name["redo"].trigger()
    assert window.of(Tm).pretranslation.dialog is None
    assert not ask().chosen, "edited segments stay"
    window.controller.close()
    assert window.of(Tm).pretranslation.dialog is None


@pytest.mark.slow
def test_replacing_in_drafts_has_a_preview_a_scope_and_one_undo(qtbot, open_text) -> None:
    window = open_text("缓存保存每个交易。", "每个节点读取缓存。", "缓存更新缓存。")
    editing, bar = window.controller.editing, window.of(Find).bar
    drafts = targets(window)
    assert "cache" in drafts[1].lower(), "the machine's word"
    type_in(window, 2, "The cache updates a cache and caches.")
    type_in(window, 0, "The cache keeps it.")
    editing.confirm(window.model.segment(0).id)
    before = targets(window)
    bar.open(True)
    bar.needle.setText("cache")
    button(bar, "Whole words").setChecked(True)
    bar.replacement.setText("store")
    qtbot.waitUntil(lambda: len(window.of(Find).finder.hits) == 3, timeout=30000)
    bar.replace_all.click()
    qtbot.waitUntil(lambda: window.of(Find).finder.preview is not None, timeout=30000)
    assert [each.segment for each in window.of(Find).finder.preview.checked()] == [
        window.model.segment(row).id for row in (1, 2)
    ], "the confirmed segment stays"
    window.of(Find).finder.preview.apply_button.click()
    after = targets(window)
    assert after[0] == before[0] and after[2] == "The store updates a store and caches."
    assert "store" in after[1].lower() and "cache" not in after[1].lower()
    window.actions_by_name["undo"].trigger()
    assert targets(window) == before
    bar.open(True)
    for _ in range(14):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        assert bar.isAncestorOf(window.focusWidget())
    assert targets(window) == before


@pytest.mark.slow
def test_an_imported_memory_is_used_for_pre_translation(qtbot, open_text, tmp_path) -> None:
    """From another program's file to the target, by keys only."""
    tmx = tmp_path / "m.tmx"
    tmx.write_text(
        '<tmx version="1.4"><header srclang="zh"/><body><tu>'
        '<tuv xml:lang="zh"><seg>节点读取账本。</seg></tuv>'
        '<tuv xml:lang="en"><seg>Nodes read the register.</seg></tuv></tu></body></tmx>',
        encoding="utf-8",
    )
    window = open_text("节点读取账本。")
    with qtbot.waitSignal(window.of(Tm).exchange.imported, timeout=30000):
        window.of(Tm).controller.import_file(tmx, PROJECT)
    window.actions_by_name["pretranslate"].trigger()
    dialog = window.of(Tm).pretranslation.dialog
    qtbot.waitUntil(dialog.fill.isEnabled, timeout=20000)
    QTest.keyClick(dialog.fill, Qt.Key.Key_Return)
    assert targets(window) == ["Nodes read the register."]


@pytest.mark.slow
def test_keys_pressed_before_the_answer_wait_for_it(qtbot, open_text) -> None:
    window = open_text("账本保存所有交易。", "每个节点读取账本。", "模型的性能取决于数据。")
    drafts = targets(window)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_1, Qt.Key.Key_Return):  # the last two right after arriving
        QTest.keyClick(window.table.editor, key, CONTROL)
        QTest.qWait(10)
    document = window.session.document
    qtbot.waitUntil(lambda: document.at(1).status is Status.CONFIRMED, timeout=60000)
    assert document.at(1).target not in ("", drafts[1]), "the suggestion is confirmed, not the old text"
    assert window.table.currentIndex().row() == 2
