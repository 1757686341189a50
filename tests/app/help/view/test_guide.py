"""The user's guide: the same pages in both languages, true keys and menu items, found by a word."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from anaphora.application.languages import Language, install_language
from anaphora.help.view.guide import GuideDialog, read_pages
from anaphora.help.view.shortcuts import ShortcutsDialog
from anaphora.shipped import guide

LANGUAGES = (Language.ENGLISH, Language.CHINESE)


@pytest.fixture
def window(make_window, qapp):
    yield make_window(start=False)
    install_language(qapp, Language.ENGLISH)


@pytest.fixture
def opened(window):
    window.actions_by_name["guide"].trigger()
    return window.findChild(GuideDialog)


def places(language: Language) -> dict[str, list[str]]:
    """Page → the actions that it names, in order of their names."""
    pattern = re.compile(r"\{=?\w+\}")
    return {
        path.stem: sorted(pattern.findall(path.read_text("utf-8")))
        for path in guide(language.value).glob("*.md")
    }


def test_both_languages_have_the_same_pages_and_name_the_same_actions(window) -> None:
    english, chinese = (places(language) for language in LANGUAGES)
    assert english == chinese
    named = {name.strip("{=}") for names in english.values() for name in names}
    assert named <= set(window.actions_by_name.names()) and len(english) > 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_are_there(language) -> None:
    folder = guide(language.value)
    pictures = [
        picture
        for path in folder.glob("*.md")
        for picture in re.findall(r"!\[[^]]+\]\(([^)]+)\)", path.read_text("utf-8"))
    ]
    assert pictures and all((folder / picture).is_file() for picture in pictures)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_column_of_a_table_has_a_heading(language) -> None:
    lines = [
        line for path in guide(language.value).glob("*.md") for line in path.read_text("utf-8").split("\n")
    ]
    rules = [number for number, line in enumerate(lines) if re.fullmatch(r"(\|-+)+\|", line)]
    assert rules
    for number in rules:
        assert all(heading.strip() for heading in lines[number - 1].strip("|").split("|")), lines[number + 1]


def test_menus_that_the_text_names_exist(window, qapp) -> None:
    titles = {action.text() for action in window.findChildren(type(window.actions_by_name["open"]))}
    plain = {re.sub(r"&", "", title).rstrip("…") for title in titles}
    for page in read_pages(guide("en"), lambda name: "F1", lambda name: "Document"):
        for path in re.findall(r"\*([^*\n]+ ▸ [^*\n]+)\*", page.text):
            assert {part.rstrip("…") for part in path.split(" ▸ ")} <= plain, path


def test_keys_are_those_in_force(qtbot, window, opened) -> None:
    assert "Ctrl+Return" in opened.page.toPlainText()
    opened.close()
    qtbot.waitUntil(lambda: window.findChild(GuideDialog) is None)
    window.keymap.bind("confirm", QKeySequence("Ctrl+Alt+K"))
    window.actions_by_name["guide"].trigger()
    again = window.findChild(GuideDialog)
    assert "Ctrl+Alt+K" in again.page.toPlainText() and "Ctrl+Return" not in again.page.toPlainText()


def test_an_action_without_a_key_is_named_by_its_menu(opened) -> None:
    opened.search.setText("sound backup")
    assert "Document ▸ Backups…" in opened.page.toPlainText()


def test_pages_are_found_and_hits_marked(qtbot, opened) -> None:
    everything = opened.list.count()
    qtbot.keyClicks(opened.search, "tbx")
    assert 0 < opened.list.count() < everything and opened.list.currentItem().text() == "Terms"
    assert [mark.cursor.selectedText() for mark in opened.page.extraSelections()] == ["TBX"]
    qtbot.keyClick(opened.search, Qt.Key.Key_Return)
    assert opened.page.textCursor().selectedText() == "TBX"
    opened.search.setText("zzz")
    assert opened.list.count() == 0 and "zzz" in opened.page.toPlainText()
    opened.search.clear()
    assert opened.list.count() == everything


def test_it_opens_once(window, opened) -> None:
    window.actions_by_name["guide"].trigger()
    assert len(window.findChildren(GuideDialog)) == 1


def test_pictures_take_the_width_that_there_is(qtbot, opened) -> None:
    opened.show()
    wide = opened.page.document().size().height()
    opened.resize(opened.width() // 2, opened.height())
    qtbot.waitUntil(lambda: opened.page.document().size().height() != wide)
    assert not opened.page.horizontalScrollBar().isVisible()


def test_keys_are_found_by_name_and_by_key(window, qtbot) -> None:
    window.actions_by_name["keys"].trigger()
    dialog = window.findChild(ShortcutsDialog)
    qtbot.keyClicks(dialog.search, "ctrl+k")
    items = [dialog.list.topLevelItem(at) for at in range(dialog.list.topLevelItemCount())]
    assert [item.text(0) for item in items if not item.isHidden()] == ["Concordance"]
    assert dialog.list.currentItem().text(0) == "Concordance"


@pytest.fixture
def alone(qtbot) -> GuideDialog:
    """The guide without a window behind it."""
    dialog = GuideDialog(Language.ENGLISH, lambda name: f"key of {name}", lambda name: f"item {name}")
    qtbot.addWidget(dialog)
    return dialog


def test_what_is_looked_for_is_gone_through_page_by_page_and_around(alone) -> None:
    assert alone.list.count() == len(alone._pages) > 8 and alone.list.currentRow() == 0
    alone.search.setText("memory confirm")
    count = alone.list.count()
    assert count > 1 and alone.list.currentRow() == 0 and alone.page.extraSelections()
    rows = [0]
    for _ in range(3_000):
        alone.find_next()
        assert alone.page.textCursor().selectedText().lower() == "memory"
        if (row := alone.list.currentRow()) != rows[-1]:
            rows.append(row)
        if len(rows) > count:
            break
    assert rows == [*range(count), 0]


def test_the_page_that_is_read_stays_as_long_as_it_holds_what_is_looked_for(alone) -> None:
    alone.list.setCurrentRow(3)
    title = alone.list.currentItem().text()
    first = alone._pages[alone.list.currentItem().data(Qt.ItemDataRole.UserRole)].text.split()[2]
    alone.search.setText(first)
    assert alone.list.currentItem().text() == title
    alone.search.setText("zzzqqq")
    assert alone.list.count() == 0 and alone.page.toPlainText() == "No page of the guide holds “zzzqqq”."
    alone.find_next()
    alone.search.setText("")
    assert alone.list.currentRow() == 0 and alone.page.extraSelections() == []
    assert not alone.page.select_next("") and not alone.page.select_next("zzzqqq")


def test_each_word_that_is_looked_for_is_marked_wherever_it_stands(alone) -> None:
    alone.page.show_text("One two, *one* three.", "one two")
    assert [each.cursor.selectedText() for each in alone.page.extraSelections()] == ["One", "one", "two"]
    alone.page.show_text("One two.", "")
    assert alone.page.extraSelections() == [] and alone.page.toPlainText() == "One two."


def test_a_page_stays_where_it_is_when_it_becomes_wider(qtbot, alone) -> None:
    alone.resize(900, 500)
    alone.show()
    bar = alone.page.verticalScrollBar()
    alone.page.show_text("\n\n".join(f"Line {number}" for number in range(200)), "")
    bar.setValue(700)
    alone.resize(1000, 500)
    qtbot.waitUntil(lambda: alone.width() == 1000, timeout=5000)
    assert bar.value() == 700 and "Line 199" in alone.page.toPlainText()
