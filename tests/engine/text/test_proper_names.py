"""Names of a document: from the table, from its text, and rejected by confirmed targets."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora_nmt.text.line import source_line
from anaphora_nmt.text.proper_names import DocumentNames
from anaphora_nmt.text.protect import PLACEHOLDERS, protect_pair
from anaphora_text.names.table import NameTable

TABLE = NameTable({"阿巴丹": "Abadan", "大连": "Dalian", "大连湾": "Dalian Bay"})


def _found(names: DocumentNames, text: str) -> list[str]:
    return [name.rendering for name in names.find(text)]


def test_a_title_and_a_company_are_introduced_for_the_whole_document() -> None:
    names = DocumentNames(TABLE, ["甲方：大连远山科技有限公司", "联系人：陈女士"])
    text = "陈女士说大连远山科技有限公司同意。"
    assert _found(names, text) == ["Ms. Chen", "Dalian Yuanshan Technology Co., Ltd."]


def test_a_person_is_a_name_in_the_whole_document() -> None:
    names = DocumentNames(TABLE, ["王强说他明天来。", "王强很高兴。"])
    assert _found(names, "王强很高兴。") == ["Wang Qiang"]
    assert DocumentNames(TABLE, ["王强很高兴。"]).find("王强很高兴。") == []


def test_confirmed_segment_with_other_rendering_rejects_name() -> None:
    text = "王强说他在大连。"
    names = DocumentNames(TABLE, [text])
    names.confirm("1", text, "Wong Keung says he is in Dalian.")
    assert _found(names, text) == ["Dalian"]
    names.confirm("1", text, "Wang Qiang says he is in Dalian.")
    assert _found(names, text) == ["Wang Qiang", "Dalian"]
    names.confirm("1", text, "He is in Dairen.")
    names.release("1")
    assert _found(names, text) == ["Wang Qiang", "Dalian"]


def test_fork_rejects_names_separately() -> None:
    text = "他在大连。"
    names = DocumentNames(TABLE, [text])
    other = names.fork()
    other.confirm("1", text, "He is in Dairen.")
    assert (_found(names, text), _found(other, text)) == (["Dalian"], [])


def test_rejections_follow_their_segments() -> None:
    text = "他在大连。"
    before = DocumentNames(TABLE, [text, text])
    before.confirm("1", text, "He is in Dairen.")
    after = DocumentNames(TABLE, [text])
    after.adopt(before, {"1": "7"})
    assert _found(after, text) == []
    after.release("7")
    assert _found(after, text) == ["Dalian"]


def test_force_majeure_is_one_unit_and_follows_its_term() -> None:
    text = "如遇不可抗力，本协议终止。"
    names = DocumentNames(TABLE, [text])
    assert [name.rendering for name in names.find(text)] == ["force majeure"]
    names.set_renderings(text, {"不可抗力": "Act of God"})
    assert [name.rendering for name in names.find(text)] == ["Act of God"]


def test_placeholder_represents_rendering_of_name() -> None:
    line = source_line("从{1}阿巴丹{/1}到大连", TABLE.find)
    assert line.text == f"从{PLACEHOLDERS[0]}到{PLACEHOLDERS[1]}"
    assert line.strings == ("Abadan", "Dalian")
    assert [line.plain[start:end] for start, end in line.spans] == ["从", "阿巴丹", "到", "大连"]


def test_in_training_a_name_is_protected_where_the_target_has_it() -> None:
    assert protect_pair("他在大连。", "He is in Dalian.", TABLE.find) == (
        f"他在{PLACEHOLDERS[0]}。",
        f"He is in {PLACEHOLDERS[0]}.",
    )
    assert protect_pair("他在大连。", "He is there.", TABLE.find) == ("他在大连。", "He is there.")


@pytest.mark.parametrize("content", ["大连", "大连\tDalian\tx", "大\tDa", "大连\t"])
def test_a_damaged_table_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "names.tsv"
    path.write_text(content, "utf-8")
    with pytest.raises(ValueError):
        NameTable.load(path)


def test_a_name_is_translated_as_its_term() -> None:
    text = "林秋生说他在大连，大连港很远。"
    names = DocumentNames(TABLE, [text])

    def found() -> list[tuple[str, str]]:
        return [(text[name.start : name.end], name.rendering) for name in names.find(text)]

    plain = found()
    assert ("林秋生", "Lin Qiusheng") in plain
    assert ("大连", "Dalian") in plain
    assert names.set_renderings(text, {"林秋生": "Lam Chau-sang", "大连港": "Port of Dalian"})
    assert found() == [
        ("林秋生", "Lam Chau-sang"),
        ("大连", "Dalian"),
    ]  # the name within the term is ignored
    assert not names.set_renderings(text, {"林秋生": "Lam Chau-sang", "大连港": "Port of Dalian"})
    assert names.fork().find(text) == names.find(text)
    assert names.set_renderings(text, {})
    assert found() == plain
