"""Excel workbooks: texts in the order of sheets, names and their references, unchanged numbers."""

from __future__ import annotations

import re
from pathlib import Path

import docx_samples as samples
import pytest
from rendering import render

from anaphora.formats.base.xml import parse
from anaphora.formats.office.xlsx import HeaderHolder
from anaphora.formats.office.xlsx_names import sheet_title
from anaphora.formats.registry import read_bytes

PLAN = (Path(__file__).parents[3] / "golden" / "xlsx" / "project-plan.xlsx").read_bytes()
STRINGS = "xl/sharedStrings.xml"
SPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def sources(data: bytes) -> list[str]:
    return [segment.source for segment in read_bytes(data, "a.xlsx").segments]


def translate(data: bytes, targets: dict[str, str]) -> dict[str, str]:
    """The text parts of the workbook with some sources translated."""
    document = read_bytes(data, "a.xlsx")
    assert set(targets) <= {segment.source for segment in document.segments}
    ids = {s.id: targets[s.source] for s in document.segments if s.source in targets}
    return decoded(render(data, "xlsx", ids))


def decoded(data: bytes) -> dict[str, str]:
    found = samples.entries(data)
    return {name: part.decode() for name, part in found.items() if name.endswith(".xml")}


def formulas(part: str) -> list[str]:
    return re.findall(r"<f>([^<]*)</f>", part)


def test_texts_are_read_by_sheet_with_positions() -> None:
    document = read_bytes(PLAN, "a.xlsx")
    found = {segment.source: segment.notes[0].text for segment in document.segments}
    order = [
        "项目计划",
        "Summary",
        "步骤",
        "第一行文字",
        "第二行文字",
        "图形中的文字说明",
        "服务器",
        "汇总",
        "预算图表",
    ]
    texts = [segment.source for segment in document.segments]
    assert [texts.index(text) for text in order] == sorted(texts.index(text) for text in order)
    assert found["服务器"] == "Sheet “预算 2024”, cell A2"
    assert "comment on B2" in found["建议不修改路径，使用默认路径创建conda环境。"]
    assert "header" in found["第 {1/} 页，共 {2/} 页"]
    assert texts.count("进行中") == 1  # four cells share it


def test_a_sheets_new_name_reaches_formulas_names_links_and_charts() -> None:
    parts = translate(PLAN, {"预算 2024": "Budget's 2024/25", "项目计划": "Plan"})
    assert '<sheet name="Budget\'s 2024 25"' in parts["xl/workbook.xml"]
    assert "'Budget''s 2024 25'!$B$2:$B$5</definedName>" in parts["xl/workbook.xml"]
    assert formulas(parts["xl/worksheets/sheet3.xml"])[:2] == [
        "'Budget''s 2024 25'!B2+Plan!C3",
        'Plan!A2&amp;"（合计）"',
    ]
    assert "'Budget''s 2024 25'!A1" in parts["xl/worksheets/sheet1.xml"]
    assert "'Budget''s 2024 25'!$A$2:$A$5" in parts["xl/charts/chart1.xml"]


def test_sheet_names_stay_valid_and_unique() -> None:
    assert sheet_title("a/b:c*d?e[f]g\\h") == "a b c d e f g h"
    assert len(sheet_title("很" * 50)) == 31 and sheet_title("'//'") == "Sheet"
    parts = translate(PLAN, {"预算 2024": "Same", "项目计划": "same"})
    names = re.findall(r'<sheet name="([^"]*)"', parts["xl/workbook.xml"])
    assert names == ["same", "Same (2)", "Summary"]


def test_sheets_keep_their_names_where_formulas_or_macros_may_use_them() -> None:
    course = (Path(__file__).parents[3] / "golden" / "xlsx" / "course.xlsx").read_bytes()
    links = "xl/_rels/workbook.xml.rels"
    macros = {links: samples.entries(PLAN)[links].replace(b'/theme"', b'/vbaProject"')}
    for data, name in ((course, "课程表"), (samples.repacked(PLAN, macros), "预算 2024")):
        assert name not in sources(data) and "Sheet names" in "".join(read_bytes(data, "a.xlsx").notes)


def test_table_columns_and_references_follow_header_cells() -> None:
    name = "xl/worksheets/sheet2.xml"
    content = samples.entries(PLAN)[name].replace(b"SUM(Budget", "[金额]+Other[金额]+(Budget".encode())
    parts = translate(samples.repacked(PLAN, {name: content}), {"金额": "Item [net]", "项目": "Item [net]"})
    assert re.findall('name="(I.*?)"', parts["xl/tables/table1.xml"]) == ["Item [net]", "Item [net]2"]
    assert "<is><t>Item [net]2</t></is></c>" in parts[name]
    assert formulas(parts[name])[0] == "[Item '[net']2]+Other[金额]+(Budget[Item '[net']2])"
    assert formulas(parts[name])[1] == "Budget[[#This Row],[Item '[net']2]]*1.13"


def test_numbers_and_formulas_stay_and_excel_recalculates() -> None:
    before = decoded(PLAN)
    parts = translate(PLAN, {"服务器": "Server"})
    changed = {name for name in before if before[name] != parts[name]}
    assert changed == {STRINGS, "xl/workbook.xml"}
    assert 'fullCalcOnLoad="1"' in parts["xl/workbook.xml"]


def test_rich_strings_keep_their_style() -> None:
    mixed = "{1}注意：{/1}{2}必须{/2}{3}先安装{/3} conda 环境。"
    assert mixed in sources(PLAN)
    parts = translate(PLAN, {mixed: "First {2}you must{/2} install  the environment."})
    item = re.search(r"<si><r>(?:(?!</si>).)*you must.*?</si>", parts[STRINGS])
    assert item is not None
    runs = re.findall(r"<r>(?:<rPr>(.*?)</rPr>)?<t[^>]*>(.*?)</t></r>", item.group())
    assert [text for _, text in runs] == ["First ", "you must", " install  the environment."]
    assert "<b/>" in runs[1][0] and "<b/>" not in runs[2][0]


def test_line_breaks_in_a_cell_end_sentences_and_stay() -> None:
    parts = translate(PLAN, {"第一行文字": "Line one", "第二行文字": "Line two"})
    assert "Line one\nLine two</t>" in parts[STRINGS]


def test_unused_strings_and_phonetic_texts_are_ignored() -> None:
    item = "<si><t>拼音</t><rPh sb='0' eb='2'><t>pin yin</t></rPh></si><si><t>没人用</t></si>"
    strings = f"<sst {SPACE}>{item}</sst>"
    sheet = (
        f'<worksheet {SPACE}><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>'
    )
    data = samples.repacked(PLAN, {STRINGS: strings.encode(), "xl/worksheets/sheet1.xml": sheet.encode()})
    assert "拼音" in sources(data) and "没人用" not in sources(data)
    assert "<si><t>pinyin</t></si>" in translate(data, {"拼音": "pinyin"})[STRINGS]


@pytest.mark.parametrize(
    ("text", "shown"),
    [("&L左&C中&R右", "左|中|右"), ('&"Arial,Bold"&12甲&&乙 &P+1', "甲&乙 ")],
)
def test_header_codes_become_tags(text: str, shown: str) -> None:
    element = parse(f"<h>{text.replace('&', '&amp;')}</h>".encode()).getroot()
    holder = HeaderHolder(element)
    pieces = holder.pieces()
    words = (
        "|" if piece.kind.value == "break" else piece.text for piece in pieces if piece.kind.value != "alone"
    )
    assert "".join(words).lstrip("|") == shown
    holder.fill(pieces)
    assert element.text == text


def test_escaped_characters_of_strings_survive_round_trip() -> None:
    data = (Path(__file__).parents[3] / "golden" / "fields" / "escapes.xlsx").read_bytes()
    targets = {
        "第一行说明": "First",
        "第二行说明": "Second",
        "字面_x0041_下划线": "as _x0041_ is",
        "控制{1/}铃声": "ring{1/} it",
        "{1}富{/1}文本": "{1}Rich{/1} text",
    }
    assert sources(data) == ["表一", *targets, "普通"]
    strings = translate(data, targets)[STRINGS]
    for text in ("First_x000D_\nSecond<", "as _x005F_x0041_ is<", "ring_x0007_ it<", "text_x000D_<"):
        assert text in strings


CONDITIONS = {
    "a rule's formula": '<conditionalFormatting sqref="A1"><cfRule type="containsText" priority="1">'
    '<formula>SEARCH("完成",A1)</formula></cfRule></conditionalFormatting>',
    "a rule of a later version": '<extLst><ext><x:cfRule xmlns:x="http://schemas.microsoft.com/office/'
    'spreadsheetml/2009/9/main"><f xmlns="http://schemas.microsoft.com/office/excel/2006/main">'
    'SEARCH("完成",A1)</f></x:cfRule></ext></extLst>',
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_with_words_are_counted(name: str) -> None:
    sheet = "xl/worksheets/sheet1.xml"
    added = f"</sheetData>{CONDITIONS[name]}".encode()
    changed = samples.entries(PLAN)[sheet].replace(b"</sheetData>", added)
    notes = read_bytes(samples.repacked(PLAN, {sheet: changed}), "a.xlsx").notes
    assert any("contain text: 2" in note for note in notes)
