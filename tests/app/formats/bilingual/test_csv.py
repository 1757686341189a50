"""Tables: columns are guessed or chosen, translations replace sources or go beside them, the rest stays."""

from __future__ import annotations

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.notes import Note, NoteKind
from anaphora.core.reading_choices import Columns, ReadingChoices
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base import tables
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.bilingual.csv_table import preview_table
from anaphora.formats.registry import fill, read_bytes


def read(text: str, name: str = "a.csv", columns: Columns | None = None) -> SourceDocument:
    return read_bytes(text.encode(), name, choices=ReadingChoices(columns))


def written(document: SourceDocument, targets: dict[str, str]) -> str:
    segments = [
        each.with_state(SegmentState(targets[each.source], Status.EDITED)) if each.source in targets else each
        for each in document.segments
    ]
    reading = ReadOptions("", document.encoding, document.choices)
    return fill(document.data, "csv", segments, reading).decode()


def sources(document: SourceDocument) -> list[str]:
    return [segment.source for segment in document.segments]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("id,Chinese,English\n1,保存,\n", Columns((1,), (2,), True)),
        ("key\t译文\t原文\na\tSave\t保存\n", Columns((2,), (1,), True)),
        ("sku,名称,描述\n1,红茶,一种 茶\n2,绿茶,好喝\n", Columns((1, 2), (-1, -1), False)),
        ("sku,name,description\n1,红茶,一种茶\n", Columns((1, 2), (-1, -1), True)),
        ("保存,Save\n打开,Open\n", Columns((0,), (1,), False)),
        ("原词,对应词\n保存,Save\n打开,Open\n", Columns((0,), (1,), True)),
        ("id;zh-CN;de\n1;保存;\n", Columns((1,), (2,), True)),
        ("一\n二\n", Columns((0,), (-1,), False)),
    ],
)
def test_names_and_letters_suggest_columns(text: str, columns: Columns) -> None:
    assert read(text).choices.columns == columns


def test_translations_go_into_their_column_and_nothing_else_changes() -> None:
    text = (
        '\ufeff"id","zh","en","note"\r\n"1","保存{0}个","","按钮"\r\n'
        '"2","他说""好""","He said","长"\r\n3,打开\r\n'
    )
    document = read(text)
    assert sources(document) == ["保存{1/}个", '他说"好"', "打开"]
    assert [each.target for each in document.segments] == ["", "He said", ""]
    assert document.segments[1].status is Status.EDITED
    assert document.segments[0].notes == (
        Note(NoteKind.CONTEXT, "1", ("id",)),
        Note(NoteKind.COMMENT, "按钮"),
    )
    assert written(document, {}) == text
    done = written(document, {"保存{1/}个": "Save {1/}", '他说"好"': 'He says "fine", twice', "打开": "Open"})
    assert done == (
        '\ufeff"id","zh","en","note"\r\n"1","保存{0}个","Save {0}","按钮"\r\n'
        '"2","他说""好""","He says ""fine"", twice","长"\r\n3,打开,Open\r\n'
    )


def test_translations_replace_sources_without_target_column() -> None:
    text = "sku\tname\n1\t红茶\n2\tCup\n3\t绿茶\n"
    document = read(text, "a.tsv")
    assert written(document, {"红茶": "Black\ttea", "绿茶": "Green tea"}) == (
        'sku\tname\n1\t"Black\ttea"\n2\tCup\n3\tGreen tea\n'
    )


def test_columns_chosen_by_user_are_read() -> None:
    text = "甲,乙,丙\n一,二,三\n"
    columns = Columns((2, 0), (-1, 1), False)
    document = read(text, columns=columns)
    assert sources(document) == ["丙", "甲", "三", "一"]
    assert written(document, {"三": "three", "一": "one"}) == "甲,乙,丙\n一,one,three\n"
    assert ReadingChoices.from_text(document.choices.to_text()) == document.choices


def test_lines_in_cells_and_delimiter_line_are_kept() -> None:
    text = 'sep=;\r\nname;text\r\n1;"第一行\r\n第二行"\r\n2;"没有结束\r\n'
    document = read(text)
    assert sources(document)[0] == "第一行\n第二行"
    assert written(document, {"第一行\n第二行": "One\nTwo"}) == text.replace("第一行\r\n第二行", "One\r\nTwo")


def test_old_encodings_are_kept() -> None:
    data = "id,名称\n1,红茶很好喝\n2,绿茶也不错\n".encode("gb18030")
    document = read_bytes(data, "a.csv")
    reading = ReadOptions("", document.encoding, document.choices)
    assert fill(data, "csv", document.segments, reading) == data


def test_beginning_of_table_is_shown_for_choosing() -> None:
    found = preview_table("id,zh\n1,红茶\n".encode(), ReadOptions())
    assert found.rows == (("id", "zh"), ("1", "红茶")) and found.columns == Columns((1,), (-1,), True)
    assert read("").segments == ()


@pytest.mark.parametrize(
    "choices",
    ["[]", '{"columns": 1}', '{"columns": [[0], [], true]}', '{"columns": [[-1], [0], 0]}',
     '{"columns": [[0, 0], [-1, -1], 0]}', '{"columns": [[0, 1], [2, 2], 0]}',
     '{"placeholders": 1}', '{"placeholders": [1]}', '{"columns": [[0.5], [0], 0]}', "{"],
)  # fmt: skip
def test_invalid_choices_from_projects_are_refused(choices: str) -> None:
    with pytest.raises(ValueError):
        ReadingChoices.from_text(choices)


def test_tables_with_too_many_cells_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_TABLE_CELLS", 1000)
    assert read("一" + "," * 999).segments
    with pytest.raises(FormatError):
        read("一" + "," * 1000)
