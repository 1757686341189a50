"""Import of TMX from several programs and of hostile files, and export."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from lxml import etree

from anaphora.core.language_pair import LanguagePair
from anaphora.core.matching import Unit
from anaphora.formats.base.format import FormatError
from anaphora.formats.bilingual.languages import base_language
from anaphora.formats.bilingual.tmx_units import TmxSurvey, read_tmx, survey_tmx, write_tmx
from anaphora.formats.registry import read_bytes

GOLDEN = Path(__file__).parents[3] / "golden"
MEMORIES = GOLDEN / "translation_memories"
LATER, EARLIER = 1646559552, 1610882698  # 2022-03-06 09:39:12, 2021-01-17 11:24:58 UTC


def read(path: Path) -> list[Unit | None]:
    return list(read_tmx(path, survey_tmx(path)))


def test_omegat() -> None:
    survey = survey_tmx(MEMORIES / "omegat.tmx")
    assert survey == TmxSurvey(4, "zh", "en")
    ledger, settings, node, none = read(MEMORIES / "omegat.tmx")
    assert ledger == Unit(
        "账本保存每个交易。",
        "The ledger keeps every transaction.",
        (),
        "ZH-CN",
        "EN-US",
        EARLIER,
        LATER,
        "Li Na",
        "omegat.tmx",
    )
    assert settings is not None and settings.source == "打开<f0>设置</f0>。"
    assert node is not None
    assert (node.origin, node.previous, node.following) == (
        "guide/账本.docx",
        "账本保存每个交易。",
        "节点读取账本。",
    )
    assert none is None


def test_memoq() -> None:
    first, second = read(MEMORIES / "memoq.tmx")
    assert first is not None and second is not None
    assert (first.created, first.changed, first.author, first.origin) == (
        EARLIER,
        LATER,
        "Li Na",
        "guide.xml",
    )
    assert (first.previous, first.following) == (None, "节点<读取账本。")
    assert (second.previous, second.following) == ("账本保存每个交易。", "节点")
    assert second.source == "节点读取{1}账本{/1}，见{2/}。"
    assert second.target == "See {2/}: nodes read the {1}ledger{/1}."
    assert second.marks == ("{1}", "{/1}", "{2/}")


def test_trados() -> None:
    first, second = read(MEMORIES / "trados.tmx")
    assert first is not None and second is not None
    assert (first.previous, first.following, first.origin) == ("", None, "guide.docx")
    assert first.author == "OFFICE\\lina"
    assert second.previous == "账本保存每个交易。"
    assert second.source == "节点读取{1}账本{/1}，共{2/}页。"
    assert second.target == "Nodes read the {1}ledger{/1} of {2/} pages."


@pytest.mark.parametrize("name", ["wtforms.tmx", "django-admindocs.tmx", "organization.zh.tmx"])
def test_all_units_of_real_files_are_read(name: str) -> None:
    path = GOLDEN / "tmx" / name
    variants = [
        {
            base_language(str(tuv.xpath("@xml:lang")[0]))
            for tuv in tu.iterfind("{*}tuv")
            if "".join(tuv.find("{*}seg").itertext()).strip()
        }
        for tu in etree.parse(path).iterfind(".//{*}tu")
    ]
    units = read(path)
    assert survey_tmx(path).units == len(units) == len(variants) > 0
    assert [unit is not None for unit in units] == [{"zh", "en"} <= known for known in variants]


def test_project_language_variant_is_preferred(tmp_path: Path) -> None:
    variants = (("zh-TW", "開啟檔案"), ("zh-CN", "打开文件"), ("en-GB", "Open it"), ("en-US", "Open file"))
    texts = "".join(f'<tuv xml:lang="{name}"><seg>{text}</seg></tuv>' for name, text in variants)
    path = tmp_path / "a.tmx"
    path.write_text(f'<tmx version="1.4"><header srclang="zh"/><body><tu>{texts}</tu></body></tmx>', "utf-8")
    for codes, expected in (
        (("zh", "en"), ("打开文件", "Open file")),
        (("zh-TW", "en-GB"), ("開啟檔案", "Open it")),
    ):
        (unit,) = read_tmx(path, survey_tmx(path, pair=LanguagePair(*codes)))
        assert unit is not None and (unit.source, unit.target) == expected
    (segment,) = read_bytes(path.read_bytes(), path.name).segments
    assert (segment.source, segment.target) == ("打开文件", "Open file")


def memory(*segments: tuple[str, str]) -> str:
    units = "".join(
        f'<tu><tuv xml:lang="zh"><seg>{a}</seg></tuv><tuv xml:lang="en"><seg>{b}</seg></tuv></tu>'
        for a, b in segments
    )
    return f'<tmx version="1.4"><header srclang="zh"/><body>{units}</body></tmx>'


def read_unit(tmp_path: Path, source: str, target: str) -> Unit:
    path = tmp_path / "one.tmx"
    path.write_text(memory((source, target)), "utf-8")
    (unit,) = read(path)
    assert unit is not None
    return unit


def test_inline_elements_become_tags(tmp_path: Path) -> None:
    unit = read_unit(
        tmp_path, '<hi x="1">粗<hi>斜</hi></hi><ph/>', '<ph/><hi x="1">bold <hi>italic</hi></hi>'
    )
    assert (unit.source, unit.target) == ("{1}粗{2}斜{/2}{/1}{3/}", "{3/}{1}bold {2}italic{/2}{/1}")


def test_deleted_text_is_not_read_into_memory(tmp_path: Path) -> None:
    gone = '<hi type="x-sdl-deleted">删<ph/></hi>'
    unit = read_unit(tmp_path, f"甲{gone}乙", 'A<hi type="deleted">gone</hi> <hi type="bold">B</hi>')
    assert (unit.source, unit.target, unit.marks) == ("甲乙", "A B", ())


def test_text_that_looks_like_tag_stays_text(tmp_path: Path) -> None:
    unit = read_unit(tmp_path, "用{1}和<ph/>", "with {1} and <ph/>")
    assert (unit.source, unit.target, unit.marks) == ("用{1}和{2/}", "with {1} and {2/}", ("{2/}",))


def test_target_element_missing_in_source_is_left_out(tmp_path: Path) -> None:
    assert read_unit(tmp_path, "甲", "A<ph/><bpt i='1'/>B<ept i='1'/>").target == "AB"


def test_crossing_and_unpaired_tags(tmp_path: Path) -> None:
    unit = read_unit(tmp_path, "<bpt i='1'/>甲<bpt i='2'/>乙<ept i='1'/>丙<ept i='2'/>", "<ept i='9'/>A")
    assert unit.source == "{1/}甲{2}乙{3/}丙{/2}"
    assert unit.marks == ("{1/}", "{2}", "{3/}", "{/2}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not valid XML"),
        ("no xml at all", "not valid XML"),
        (memory(("甲", "A"))[:-20], "not valid XML"),
        ("<html><body/></html>", "not a translation memory"),
        (memory(("甲", "A&nbsp;B")), "not valid XML"),
        ('<!DOCTYPE tmx [<!ENTITY a "aaaa">]>' + memory(("甲", "&a;")), "entities"),
        ('<!DOCTYPE tmx [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + memory(("甲", "&a;")), "entities"),
        ("<tmx>" + "<a>" * 2000, "not valid XML"),
    ],
)
def test_hostile_and_broken_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.tmx"
    path.write_text(text, "utf-8")
    with pytest.raises(FormatError, match=message) as problem:
        read(path)
    assert problem.value.advice


def test_strange_dates_and_languages(tmp_path: Path) -> None:
    path = tmp_path / "x.tmx"
    path.write_text(
        '<tmx><header srclang="*all*"/><body><tu creationdate="yesterday">'
        '<tuv xml:lang="zh_TW"><seg>甲</seg></tuv><tuv xml:lang="fr"><seg>F</seg></tuv>'
        '<tuv xml:lang="EN"><seg>A</seg></tuv></tu>'
        '<tu><tuv xml:lang="zh"><seg>  </seg></tuv><tuv xml:lang="en"><seg>B</seg></tuv></tu>'
        '<tu><tuv xml:lang="zh"/><tuv xml:lang="en"><seg>B</seg></tuv></tu></body></tmx>',
        "utf-8",
    )
    first, second, third = read(path)
    assert first is not None and (first.source, first.target, first.created) == ("甲", "A", 0)
    assert second is third is None


def test_exported_units_can_be_imported(tmp_path: Path) -> None:
    units = [
        Unit(
            "{1}甲{/1}<&>\"'",
            "{1}A{/1}",
            ("{1}", "{/1}"),
            "zh-CN",
            "en-GB",
            EARLIER,
            LATER,
            "李",
            "文.docx",
            "",
            "后",
        ),
        Unit("乙{1}", "B{1}", (), "zh", "en", origin="x", following="{"),
        Unit("丙{3/}丁{/4}", "C{3/}", ("{3/}", "{/4}"), "zh", "en", origin="x"),
        Unit("坏\x00\x0b字", "bad\ufffe", (), "zh", "en", origin="x"),
    ]
    file = io.StringIO()
    assert write_tmx(file, units, "1.0") == 4
    path = tmp_path / "out.tmx"
    path.write_text(file.getvalue(), "utf-8")
    back = read(path)
    assert back[0] == units[0]
    assert back[1] == units[1]
    assert back[2] is not None and back[2].target == "C{1/}" and back[2].source == "丙{1/}丁{2/}"
    assert back[3] is not None and (back[3].source, back[3].target) == ("坏字", "bad")


def test_exported_tmx_matches_the_dtd(tmp_path: Path) -> None:
    """The required elements and attributes of TMX 1.4b, in the required order."""
    file = io.StringIO()
    write_tmx(file, [Unit("甲", "A", created=1, changed=2, author="x", origin="o", previous="p")], "1.0")
    root = etree.fromstring(file.getvalue().encode())
    assert root.tag == "tmx" and root.get("version") == "1.4"
    header = root[0]
    demanded = {"creationtool", "creationtoolversion", "segtype", "o-tmf", "adminlang", "srclang", "datatype"}
    assert header.tag == "header" and set(header.keys()) == demanded
    assert [child.tag for child in root[1][0]] == ["prop", "prop", "tuv", "tuv"]
    assert root[1][0][3].get("changedate") == "19700101T000002Z"
