"""Each side of the table is shown in fonts of its language."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontDatabase, QTextLayout

from anaphora.core.language_pair import LanguagePair
from anaphora.editor.appearance.theme import FONT_FAMILIES, ThemeChoice, families_for, font_for
from anaphora.editor.table.segment_model import Column


@pytest.mark.parametrize(
    ("code", "family", "before"),
    [
        ("ja", "Noto Sans CJK JP", "Noto Sans CJK SC"),
        ("kor_Hang", "Noto Sans CJK KR", "Noto Sans CJK SC"),
        ("zh-TW", "Noto Sans CJK TC", "Noto Sans CJK SC"),
        ("zho_Hant", "Noto Sans CJK TC", "Noto Sans CJK SC"),
    ],
)
def test_fonts_of_the_language_come_first(code: str, family: str, before: str) -> None:
    families = families_for(code)
    assert families.index(family) < families.index(before)
    assert [each for each in families if each in FONT_FAMILIES] == [*FONT_FAMILIES], "the others follow"


@pytest.mark.parametrize("code", ["zh", "zho_Hans", "zh-CN", "en", "ru", "el", "vi", "xx", ""])
def test_other_languages_use_the_windows_fonts(code: str) -> None:
    assert families_for(code) == FONT_FAMILIES


def drawn_in(code: str, text: str, font) -> str:
    """The font family of a text's first letter."""
    layout = QTextLayout(text, font_for(code, font))
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return layout.glyphRuns()[0].rawFont().familyName()


def test_a_character_is_drawn_in_a_font_of_its_language(qapp) -> None:
    wanted = {"zh": "Noto Sans CJK SC", "ja": "Noto Sans CJK JP", "ko": "Noto Sans CJK KR"}
    if missing := {*wanted.values()} - {*QFontDatabase.families()}:
        pytest.skip(f"not installed: {missing}")
    assert {code: drawn_in(code, "直骨", qapp.font()) for code in wanted} == wanted


def test_columns_and_editor_follow_the_languages_of_the_project(qtbot, make_window, tmp_path) -> None:
    path = tmp_path / "契約.txt"
    path.write_text("契約は終了する。\n", "utf-8")
    window = make_window(None, path)
    table = window.table
    assert table.card.source.font().families() == table.editor.font().families() == [*FONT_FAMILIES]
    window.desk.models.choose_languages(LanguagePair("ja", "ko"))
    sides = table.card.source, table.editor
    expected = [[*families_for(code)] for code in ("ja", "ko")]
    qtbot.waitUntil(lambda: [each.font().families() for each in sides] == expected, timeout=20000)
    for column, families in zip((Column.SOURCE, Column.TARGET), expected, strict=True):
        laid_out = table.delegate.lay_out(window.model.segment(0), column, 300)
        assert laid_out.layout.font().families() == families
    # they stay at another text size
    font = table.font()
    font.setPointSizeF(font.pointSizeF() + 2)
    table.set_text_font(font)
    assert [each.font().families() for each in sides] == expected


@pytest.mark.parametrize("larger", [False, True])
def test_a_heading_and_a_chosen_size_stay_when_the_colours_change(make_window, tmp_path, larger) -> None:
    """After a change of the style sheet, Qt resets a widget's font."""
    path = tmp_path / "文.md"
    path.write_text("# 题目\n\n第一句。第二句。\n", "utf-8")
    window = make_window(None, path)
    table = window.table
    if larger:
        window.actions_by_name["larger"].trigger()
    shown = (table, table.card.source, table.editor)
    fonts = [each.font() for each in shown]
    assert fonts[1].bold() and fonts[1].pointSizeF() > fonts[0].pointSizeF()
    for choice in (ThemeChoice.DARK, ThemeChoice.LIGHT):
        window.desk.theme.choose(choice)
        assert [each.font() for each in shown] == fonts
