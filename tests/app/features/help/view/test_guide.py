"""The user's guide: the same pages in both languages, correct keys and menu items, searching."""

from __future__ import annotations

import re

import pytest
from PySide6.QtGui import QKeySequence, QTextDocument

from anaphora.features.help.view.guide import GuideDialog, read_pages
from anaphora.features.help.view.shortcuts import ShortcutsDialog
from anaphora.system.interface_language import UiLanguage, install_language
from anaphora.system.locations import guide

LANGUAGES = (UiLanguage.ENGLISH, UiLanguage.CHINESE)


@pytest.fixture
def window(make_window, qapp):
    yield make_window(start=False)
    install_language(qapp, UiLanguage.ENGLISH)


@pytest.fixture
def opened(window):
    window.actions_by_name["guide"].trigger()
    return window.findChild(GuideDialog)


def places(language: UiLanguage) -> dict[str, list[str]]:
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
def test_all_pictures_exist(language) -> None:
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


def test_paragraphs_in_chinese_are_shown_without_a_space_inside() -> None:
    """A line break in Markdown is shown as a space, which Chinese does not have."""
    for path in guide("zh_CN").glob("*.md"):
        (shown := QTextDocument()).setMarkdown(re.sub("`[^`]*`", "x", path.read_text("utf-8")))
        found = re.findall(r"[\u4e00-\u9fff，。；：、] [\u4e00-\u9fff]", shown.toPlainText())
        assert not found, path.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_menus_are_emphasised(qapp, language) -> None:
    for page in read_pages(guide(language.value), lambda name: "F1", lambda name: "Edit ▸ Find…"):
        (shown := QTextDocument()).setMarkdown(page.text)
        assert "…*" not in shown.toPlainText(), page.name


def test_menus_named_in_the_text_exist(window, qapp) -> None:
    titles = {action.text() for action in window.findChildren(type(window.actions_by_name["open"]))}
    plain = {re.sub(r"&", "", title).rstrip("…") for title in titles}
    for page in read_pages(guide("en"), lambda name: "F1", lambda name: "Document"):
        for path in re.findall(r"\*([^*\n]+ ▸ [^*\n]+)\*", page.text):
            assert {part.rstrip("…") for part in path.split(" ▸ ")} <= plain, path


def test_the_guide_shows_the_current_keys(qtbot, window, opened) -> None:
    assert "Ctrl+Return" in opened.page.toPlainText()
    opened.close()
    qtbot.waitUntil(lambda: window.findChild(GuideDialog) is None)
    window.keymap.bind("confirm", QKeySequence("Ctrl+Alt+K"))
    window.actions_by_name["guide"].trigger()
    again = window.findChild(GuideDialog)
    assert "Ctrl+Alt+K" in again.page.toPlainText() and "Ctrl+Return" not in again.page.toPlainText()


def test_the_guide_shows_whole_menu_paths(window, opened) -> None:
    shown = opened.page.toPlainText()
    assert "Document ▸ Save project as…" in shown and "*" not in shown


def test_pages_are_found_and_hits_marked(qtbot, opened) -> None:
    def shown() -> int:
        return sum(not opened.list.item(row).isHidden() for row in range(opened.list.count()))

    qtbot.keyClicks(opened.search, "tbx")
    assert 0 < shown() < opened.list.count() and opened.list.currentItem().text() == "Terms"
    assert [mark.cursor.selectedText() for mark in opened.page.extraSelections()] == ["TBX"]
    opened.search.setText("zzz")
    assert shown() == 0 and "zzz" in opened.page.toPlainText()
    opened.search.clear()
    assert shown() == opened.list.count() > 8


def test_keys_are_found_by_name_and_by_key(window, qtbot) -> None:
    window.actions_by_name["keys"].trigger()
    dialog = window.findChild(ShortcutsDialog)
    qtbot.keyClicks(dialog.search, "ctrl+k")
    items = [dialog.list.topLevelItem(at) for at in range(dialog.list.topLevelItemCount())]
    assert [item.text(0) for item in items if not item.isHidden()] == ["Concordance"]
    assert dialog.list.currentItem().text(0) == "Concordance"
