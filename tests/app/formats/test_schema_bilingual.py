"""Every element for text in XLIFF and TMX, where its schema allows it: offered, said, or known as not shown.

The files are those of the fuzzer (tests/benchmarks/fuzz_bilingual.py), which this is about, too.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lxml import etree

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SCHEMAS = Path(
    os.environ.get("ANAPHORA_SCHEMAS", "/usr/share/php/Symfony/Component/Translation/Resources/schemas")
)
NOT_SHOWN = {
    "xliff": {
        # Code of the file's own format, and what the file says is no text.
        *("ph", "bpt", "ept", "it", "data", "skeleton", "internal-file", "bin-source", "bin-target"),
        # Data on the file, its matches, its inline elements and its units.
        *("note", "mda:meta", "alt-trans", "x@equiv-text", "ph@equiv-text", "bpt@equiv-text", "g@ctype"),
        *("mrk@comment", "mrk@value", "ph@disp", "ph@equiv", "pc@dispStart", "note@from"),
        *("trans-unit@restype", "file@original", "mrk"),
    },
    "tmx": {
        *("ph", "bpt", "ept", "it", "ut"),
        *("note", "prop", "tu@tuid", "ph@type", "prop@type", "hi@type", "ude@name", "map@ent", "map@subst"),
    },
}
"""`note` is that of a whole file; `mrk` the protected one."""


@pytest.mark.parametrize("kind", NOT_SHOWN)
def test_text_in_each_element_of_a_bilingual_file(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import fuzz_bilingual
    import fuzz_formats

    neither = set()
    for element in fuzz_bilingual.names(kind):
        for name, data in fuzz_bilingual.files(kind, element):
            host = fuzz_formats.read_bytes(fuzz_bilingual.host(kind, name), name)
            outcome = fuzz_formats.work(name, data, fuzz_formats.said(host))
            assert outcome.what == "opened", (element, outcome)
            if outcome.detail == "neither":
                neither.add(element)
    assert neither == NOT_SHOWN[kind]


@pytest.mark.skipif(
    not (SCHEMAS / "xliff-core-2.0.xsd").exists(), reason="no schemas (Debian: php-symfony-translation)"
)
def test_the_files_are_what_the_schemas_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import fuzz_bilingual

    known = {"a.xlf": _schema("xliff-core-1.2-strict.xsd"), "b.xlf": _schema("xliff-core-2.0.xsd")}
    for element in fuzz_bilingual.names("xliff"):
        for name, data in fuzz_bilingual.files("xliff", element):
            assert known[name].validate(etree.fromstring(data)), (element, known[name].error_log)


def test_notes_that_a_document_has_anyway_say_nothing_of_a_new_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import fuzz_formats

    page = "<p>第一句。</p><pre>说明</pre>{}"
    host = fuzz_formats.read_bytes(page.format("").encode(), "a.html")
    assert host.notes

    def fate(more: str) -> str:
        outcome = fuzz_formats.work("a.html", page.format(more).encode(), fuzz_formats.said(host))
        return str(outcome.detail)

    assert fate("<!-- 夹带文字 -->") == "neither"
    assert fate("<style>夹带文字</style>") == "said"
    assert fate("<pre>夹带文字</pre>") == "said"
    assert fate("<p>夹带文字</p>") == "offered"


def _schema(name: str) -> etree.XMLSchema:
    text = (SCHEMAS / name).read_text(encoding="utf-8")
    local = str(SCHEMAS / "xml.xsd")
    for place in ("http://www.w3.org/2001/xml.xsd", "informativeCopiesOf3rdPartySchemas/w3c/xml.xsd"):
        text = text.replace(place, local)
    return etree.XMLSchema(etree.fromstring(text.encode()))
