"""Import of term lists from other programs, and export without loss."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from anaphora.core.language_pair import LanguagePair
from anaphora.core.reading_choices import Columns
from anaphora.core.term_entries import TargetTerm, TermEntry, Usage, by_source, tidy
from anaphora.formats.base.format import FormatError
from anaphora.formats.terminology.table import UncertainColumnsError, read_table, write_table
from anaphora.formats.terminology.tbx import read_tbx, write_tbx

CACHE = TermEntry(
    "缓存",
    (
        TargetTerm("cache", Usage.PREFERRED),
        TargetTerm("buffer", Usage.ADMITTED),
        TargetTerm("cash", Usage.FORBIDDEN),
    ),
    "never cash",
    "computing",
)
DCA = """<?xml version="1.0" encoding="UTF-8"?>
<tbx type="TBX-Basic" style="dca" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2">
 <tbxHeader><fileDesc><sourceDesc><p>x</p></sourceDesc></fileDesc></tbxHeader>
 <text><body><conceptEntry id="c1"><descrip type="subjectField">computing</descrip><note>never cash</note>
  <langSec xml:lang="en-US">
   <termSec><term>cash</term>
    <termNote type="administrativeStatus">supersededTerm-admn-sts</termNote></termSec>
   <termSec><term>cache</term><termNote type="partOfSpeech">noun</termNote>
    <termNote type="administrativeStatus">preferredTerm-admn-sts</termNote></termSec>
   <termSec><term>buffer</term>
    <termNote type="administrativeStatus">admittedTerm-admn-sts</termNote></termSec>
  </langSec>
  <langSec xml:lang="zh-CN"><termSec><term>缓存</term></termSec></langSec>
  <langSec xml:lang="de"><termSec><term>Zwischenspeicher</term></termSec></langSec>
 </conceptEntry></body></text></tbx>"""
DCT = """<?xml version="1.0" encoding="UTF-8"?>
<tbx type="TBX-Basic" style="dct" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2"
  xmlns:min="http://www.tbxinfo.net/ns/min" xmlns:basic="http://www.tbxinfo.net/ns/basic">
 <tbxHeader><fileDesc><sourceDesc><p>x</p></sourceDesc></fileDesc></tbxHeader>
 <text><body><conceptEntry id="c1"><min:subjectField>computing</min:subjectField><note>never cash</note>
  <langSec xml:lang="zh"><termSec><term>缓存</term><min:partOfSpeech>noun</min:partOfSpeech></termSec>
</langSec>
  <langSec xml:lang="en">
   <termSec><term>cache</term><min:administrativeStatus>preferredTerm-admn-sts</min:administrativeStatus></termSec>
   <termSec><term>buffer</term><min:administrativeStatus>admittedTerm-admn-sts</min:administrativeStatus></termSec>
   <termSec><term>cash</term>
    <min:administrativeStatus>deprecatedTerm-admn-sts</min:administrativeStatus></termSec>
  </langSec></conceptEntry></body></text></tbx>"""
MARTIF = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX" xml:lang="zh">
<martifHeader><fileDesc><sourceDesc><p>x</p></sourceDesc></fileDesc></martifHeader>
 <text><body><termEntry id="1"><descripGrp><descrip type="subjectField">computing</descrip></descripGrp>
  <langSet xml:lang="zh-cn"><tig><term>缓存</term></tig></langSet>
  <langSet xml:lang="en-us"><note>never cash</note>
   <ntig><termGrp><term>cache</term></termGrp></ntig>
   <tig><term>buffer</term><termNote type="normativeAuthorization">admittedTerm</termNote></tig>
   <tig><term>cash</term><termNote type="normativeAuthorization">deprecatedTerm</termNote></tig>
  </langSet></termEntry></body></text></martif>"""


def written(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("text", [DCA, DCT, MARTIF], ids=["dca", "dct", "martif"])
def test_every_style_of_tbx_is_read(tmp_path: Path, text: str) -> None:
    (entry,) = read_tbx(written(tmp_path / "a.tbx", text))
    assert entry is not None and tidy(entry) == CACHE


def test_concept_gives_one_entry_for_each_source_term(
    tmp_path: Path,
) -> None:
    second = "<term>缓存</term></termSec><termSec><term>快取</term>"
    alone = '<conceptEntry><langSec xml:lang="zh"><termSec><term>孤</term></termSec></langSec></conceptEntry>'
    text = DCT.replace("<term>缓存</term>", second).replace("</body>", alone + "</body>")
    entries = list(read_tbx(written(tmp_path / "a.tbx", text)))
    assert [entry and entry.source for entry in entries] == ["缓存", "快取", None]


def test_exported_tbx_follows_tbx_basic(tmp_path: Path) -> None:
    file = io.StringIO()
    assert write_tbx(file, [CACHE, TermEntry("<账本> & 册", (TargetTerm('a "ledger" <x>'),))]) == 2
    path = written(tmp_path / "a.tbx", file.getvalue())
    root = etree.parse(path).getroot()
    names = [etree.QName(element).localname for element in root.iter() if isinstance(element.tag, str)]
    section = ["langSec", "termSec", "term", "langSec", *["termSec", "term", "termNote"]]
    assert names == [
        *[
            "tbx",
            "tbxHeader",
            "fileDesc",
            "sourceDesc",
            "p",
            "text",
            "body",
            "conceptEntry",
            "descrip",
            "note",
        ],
        *[*section, *["termSec", "term", "termNote"] * 2, "conceptEntry", *section],
    ]
    assert (root.get("type"), root.get("style")) == ("TBX-Basic", "dca")
    assert {element.get("type") for element in root.iter("{*}descrip", "{*}termNote")} == {
        "subjectField",
        "administrativeStatus",
    }
    assert list(read_tbx(path)) == [CACHE, TermEntry("<账本> & 册", (TargetTerm('a "ledger" <x>'),))]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<tmx version='1.4'><body/></tmx>", "not a TBX file"),
        (DCA[:-40], "not valid XML"),
        ("no xml at all", "not valid XML"),
        ('<!DOCTYPE tbx [<!ENTITY a "aaa">]><tbx>&a;</tbx>', "entities"),
        ("", "not valid XML"),
    ],
)
def test_other_xml_is_refused_as_tbx(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        list(read_tbx(written(tmp_path / "a.tbx", text)))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030", "big5"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_encoding_and_delimiter_of_a_table_are_recognised(
    tmp_path: Path, encoding: str, delimiter: str
) -> None:
    lines = ["中文,英文,note", "世界,world,", "生物,organism,note"]
    text = "\r\n".join(lines).replace(",", delimiter)
    entries = list(read_table(written(tmp_path / "a.csv", text, encoding)))
    assert entries == [
        TermEntry("世界", (TargetTerm("world"),)),
        TermEntry("生物", (TargetTerm("organism"),), "note"),
    ]


def test_columns_are_recognised_by_their_names(tmp_path: Path) -> None:
    text = (
        'Notes;English (US);Status;Forbidden;Chinese (China);Subject\n"a;\nb";cache;admitted;cash;缓存;IT\n'
    )
    (entry,) = read_table(written(tmp_path / "a.csv", text))
    assert entry == TermEntry(
        "缓存", (TargetTerm("cache", Usage.ADMITTED), TargetTerm("cash", Usage.FORBIDDEN)), "a;\nb", "IT"
    )


def test_chinese_column_is_the_term_without_names(tmp_path: Path) -> None:
    path = written(tmp_path / "glossary.txt", "cache\t缓存\tkeep\nledger\t账本\nnode\n")
    assert list(read_table(path)) == [
        TermEntry("缓存", (TargetTerm("cache"),), "keep"),
        TermEntry("账本", (TargetTerm("ledger"),)),
        None,
    ]


def test_delimiter_line_of_spreadsheet_is_used(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "sep=;\n缓存;cache, the\n")
    assert list(read_table(path)) == [TermEntry("缓存", (TargetTerm("cache, the"),))]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\x03\x04 a spreadsheet", "binary data"),
        ("只有一列\n的文件\n".encode(), "fewer than two columns"),
        (b"", "fewer than two columns"),
        (("a,b\n" * 3 + "x," + "y" * 200_000).encode(), "damaged near row 4"),
    ],
)
def test_text_without_table_is_refused(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=reason):
        list(read_table(path))


def usages(path: Path) -> dict[str, Usage]:
    entries = list(read_tbx(path) if path.suffix == ".tbx" else read_table(path))
    return {target.text: target.usage for entry in filter(None, entries) for target in entry.targets}


USAGES = {
    Usage.FORBIDDEN: (
        "forbidden|Prohibited|do not use|don't use|not recommended|not-recommended|NotRecommended|obsolete"
        "|deprecatedTerm-admn-sts|supersededTerm|rejected|outdated|never|unacceptable|禁止|禁用|不推荐|不要使用"
        "|已废弃|弃用|过时|错误|停用|拒绝|勿用|被取代"
    ),
    Usage.PREFERRED: "preferred|preferredTerm-admn-sts|Approved|standardizedTerm|首选|推荐",
    Usage.ADMITTED: "admitted|allowed|draft|允许|可用|未批准|not yet approved",
}
STATUS = """<martif type="TBX" xml:lang="en"><text><body><termEntry>
<langSet xml:lang="zh-CN"><tig><term>缓存</term></tig></langSet><langSet xml:lang="en">
<tig><term>buffer</term><termNote type="{}">{}</termNote></tig><tig><term>cache</term></tig></langSet>
</termEntry></body></text></martif>"""


@pytest.mark.parametrize("usage", Usage)
def test_words_for_usage_are_understood(tmp_path: Path, usage: Usage) -> None:
    for word in USAGES[usage].split("|"):
        expected = {"buffer": usage, "cache": Usage.PREFERRED}
        table = f"source,target,usage\n缓存,buffer,{word}\n缓存,cache,\n"
        assert usages(written(tmp_path / "a.csv", table)) == expected, word
        for name in ("administrativeStatus", "normativeAuthorization", "status"):
            assert usages(written(tmp_path / "a.tbx", STATUS.format(name, word))) == expected, word


def test_unknown_word_for_usage_stays_in_note(tmp_path: Path) -> None:
    (entry,) = read_table(written(tmp_path / "a.csv", "source,target,usage\n缓存,buffer,sort of\n"))
    assert entry == TermEntry("缓存", (TargetTerm("buffer", Usage.ADMITTED),), "sort of")


@pytest.mark.parametrize(
    ("name", "word", "usage"),
    [
        ("forbidden", "true", Usage.FORBIDDEN),
        ("forbidden", "false", Usage.PREFERRED),
        ("temporalQualifier", "obsoleteTerm", Usage.FORBIDDEN),
        ("processStatus", "unprocessed", Usage.PREFERRED),
        ("usageRegister", "colloquialRegister", Usage.PREFERRED),
    ],
)
def test_other_data_categories_of_tbx_are_understood(
    tmp_path: Path, name: str, word: str, usage: Usage
) -> None:
    assert usages(written(tmp_path / "a.tbx", STATUS.format(name, word)))["buffer"] is usage


TABLES = {
    "Lokalise": """
term;description;casesensitive;translatable;forbidden;tags;en;en_description;zh_CN;zh_CN_description
缓存;一种存储;no;yes;no;;cache;fast storage;;
cash;store;no;yes;yes;;;;缓存;
""",
    "Phrase": """
conceptId,conceptDefinition,en,en_status,en_usage,en_forbidden,zh,zh_status,zh_forbidden
1,a store,cache,Approved,Clear the cache often.,False,缓存,New,True
1,,cash,New,,True,缓存,New,False
""",
    "Chinese, with yes and no": """
术语名称,英文名称,是否禁用
缓存,cache,否
缓存,cash,是
""",
    "Chinese, with forbidden words": """
术语,推荐译名,不推荐译法
缓存,cache,cash
""",
    "Crowdin": """
Definition,Term [en],Description [en],Type [en],Status [en],Term [zh-TW],Term [zh-CN],Status [zh-CN]
def,cache,fast,full form,preferred,快取,缓存,obsolete
def,cash,,full form,not recommended,快取,缓存,preferred
""",
    "memoQ": """
Entry_ID;Chinese_PRC;Chinese_PRC_Def;Term_Info;English;English_Def;Term_Info;English;English_Def;Term_Info
1;缓存;定义;"CasePermissive;HalfPrefix";cache;fast;"CasePermissive;HalfPrefix";cash;;"HalfPrefix;Forbidden"
""",
    "MultiTerm": """
Entry Number;Chinese;Status;English;Status;English;Status
1;缓存;deprecated;cache;preferred;cash;superseded
""",
    "in Chinese": """
术语,英文译名,状态,说明
缓存,cache,推荐,快
缓存,cash,不要使用,
""",
    "without names": """
1,缓存,cache,preferred
2,缓存,cash,禁用
""",
    "MultiTerm, with sources": """
Chinese (PRC)	Definition	English (US)	Usage	Source
缓存	定义	cache	Preferred	ISO 1
缓存		cash	Prohibited	ISO 2
""",
    "under a title": """
公司术语,,
中文,英文,情况
缓存,cache,现行
缓存,cash,废止
""",
    "Weblate": """
source,target,context,flags
缓存,cache,,terminology
缓存,cash,,forbidden
""",
    "words not to use": """
Source,Translation,Do not use
缓存,cache; buffer,cash
""",
    "flags": """
source,target,deprecated
缓存,cache,FALSE
缓存,cash,x
""",
}


@pytest.mark.parametrize("name", TABLES)
def test_columns_of_other_programs_are_recognised(tmp_path: Path, name: str) -> None:
    entries = [*filter(None, read_table(written(tmp_path / "a.csv", TABLES[name].lstrip())))]
    assert {entry.source for entry in entries} == {"缓存"}
    targets = [(term.text, term.usage) for entry in entries for term in entry.targets]
    more = [("buffer", Usage.PREFERRED)] * (name == "words not to use")
    assert targets == [("cache", Usage.PREFERRED), *more, ("cash", Usage.FORBIDDEN)]


@pytest.mark.parametrize("name", ["preferred", "Approved?", "是否推荐"])
def test_term_that_is_not_preferred_is_admitted(tmp_path: Path, name: str) -> None:
    text = f"source,target,{name}\n缓存,cache,yes\n缓存,buffer,no\n"
    assert usages(written(tmp_path / "a.csv", text)) == {"cache": Usage.PREFERRED, "buffer": Usage.ADMITTED}


def test_languages_in_deepl_rows_are_used(tmp_path: Path) -> None:
    text = "文件,file,ZH,EN\nfolder,文件夹,EN-US,ZH\n文件夹,Ordner,ZH,DE\n"
    assert list(read_table(written(tmp_path / "a.csv", text))) == [
        TermEntry("文件", (TargetTerm("file"),)),
        TermEntry("文件夹", (TargetTerm("folder"),)),
        None,
    ]


def test_terms_that_look_like_names_of_columns_are_terms(tmp_path: Path) -> None:
    text = "源代码,target code\n术语0,term 0\n"
    entries = [*read_table(written(tmp_path / "a.csv", text))]
    assert [entry and entry.source for entry in entries] == ["源代码", "术语0"]


def test_user_chooses_unknown_columns(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "缓存,cache,computing,IT\n账本,ledger,money,Fin\n")
    with pytest.raises(UncertainColumnsError, match="could not be identified") as caught:
        list(read_table(path))
    assert caught.value.table.rows[1] == ("账本", "ledger", "money", "Fin")
    entries = [*read_table(path, chosen=Columns((0,), (1,)))]
    assert [entry and entry.targets[0].text for entry in entries] == ["cache", "ledger"]
    (entry,) = read_table(path, chosen=Columns((0,), (2,), has_header=True))
    assert entry == TermEntry("账本", (TargetTerm("money"),))
    path = written(tmp_path / "a.csv", "缓存,cache,fast,推荐\n缓存,cash,money,弃用\n")
    assert [*read_table(path, chosen=Columns((0,), (1,)))][1] == TermEntry(
        "缓存", (TargetTerm("cash", Usage.FORBIDDEN),)
    )


@pytest.mark.parametrize(
    ("text", "likely"),
    [
        ("甲方用语,我方用语,备注一\n缓存,cache,a\n账本,ledger,b\n", Columns((0,), (1,), True)),
        ("Begriff;Wort\n缓存;cache\n账本;ledger\n", Columns((0,), (1,), True)),
        ("编号,原词,对应词,类别\n1,缓存,cache,硬件\n2,账本,ledger,财务\n", Columns((1,), (2,), True)),
        ("cache,缓存,快速存储,IT\nledger,账本,记录,Fin\n", Columns((1,), (0,), False)),
    ],
)
def test_likely_columns_are_offered(tmp_path: Path, text: str, likely: Columns) -> None:
    with pytest.raises(UncertainColumnsError) as caught:
        list(read_table(written(tmp_path / "a.csv", text)))
    assert caught.value.table.columns == likely


@pytest.mark.parametrize("name", ["a.tbx", "a.csv"])
def test_project_language_variant_is_preferred(tmp_path: Path, name: str) -> None:
    other = '<langSet xml:lang="zh-TW"><tig><term>快取</term></tig></langSet><langSet xml:lang="zh-CN">'
    tbx = STATUS.format("x", "x").replace('<langSet xml:lang="zh-CN">', other)
    path = written(tmp_path / name, tbx if name == "a.tbx" else "zh-TW,中文（简体）,en\n快取,缓存,cache\n")
    read = read_tbx if name == "a.tbx" else read_table
    assert [entry and entry.source for entry in read(path)] == ["缓存"]
    assert [entry and entry.source for entry in read(path, LanguagePair("zh-TW", "en"))] == ["快取"]


TEXTS = st.text(
    st.characters(
        codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp", "Co", "Cn"), exclude_characters=";；，、|"
    ),
    min_size=1,
    max_size=12,
).filter(lambda text: text == " ".join(text.split()))


@pytest.mark.parametrize(
    "term", ['=HYPERLINK("x","账本")', "+账", "-a", "@a", "'=a", "''-a", "'a", "=-1", "-1"]
)
def test_terms_are_no_spreadsheet_formulas_and_survive_round_trip(tmp_path: Path, term: str) -> None:
    table = io.StringIO(newline="")
    write_table(table, [TermEntry("账本", (TargetTerm(term, Usage.PREFERRED),))])
    cell = next(csv.reader(table.getvalue().splitlines()[1:]))[1]
    assert not cell.startswith(("=", "+", "@")) and (term == "-1" or not cell.startswith("-"))
    (entry,) = read_table(written(tmp_path / "a.csv", table.getvalue(), "utf-8-sig"))
    assert entry is not None and entry.targets[0].text == term


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(
        st.tuples(TEXTS, st.sampled_from(["", "IT", "a, b"])),
        st.dictionaries(TEXTS, st.sampled_from(Usage), min_size=1, max_size=3),
        min_size=1,
        max_size=4,
    )
)
def test_export_can_be_imported(tmp_path_factory, given: dict) -> None:
    entries = [
        tidy(
            TermEntry(
                source, tuple(TargetTerm(text, usage) for text, usage in targets.items()), "n\n“m”", domain
            )
        )
        for (source, domain), targets in given.items()
    ]
    folder = tmp_path_factory.mktemp("terms")
    table, tbx = io.StringIO(newline=""), io.StringIO()
    write_table(table, entries)
    write_tbx(tbx, entries)
    read = [
        tidy(entry)
        for entry in by_source(
            filter(None, read_table(written(folder / "a.csv", table.getvalue(), "utf-8-sig")))
        ).values()
    ]
    assert read == entries
    again = list(read_tbx(written(folder / "a.tbx", tbx.getvalue())))
    assert [(entry.source, entry.targets, entry.domain) for entry in map(tidy, filter(None, again))] == [
        (entry.source, entry.targets, entry.domain) for entry in entries
    ]
