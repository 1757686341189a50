""".resx: the values of strings change; images, types and designer data stay."""

from __future__ import annotations

import pytest
from rendering import render

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import read_bytes

FILE = """\ufeff<?xml version="1.0" encoding="utf-8"?>\r
<root>\r
  <!-- 说明 -->\r
  <resheader name="resmimetype"><value>text/microsoft-resx</value></resheader>\r
  <data name="Hello" xml:space="preserve"><value>你好 {0:N2} &amp; 再见</value>\r
  <comment>问候</comment></data>\r
  <data name="Empty" xml:space="preserve"><value /></data>\r
  <data name="img" type="System.Resources.ResXFileRef, System.Windows.Forms"><value>图.png</value></data>\r
  <data name="&gt;&gt;b.Name" xml:space="preserve"><value>按钮</value></data>\r
  <data name="Two" xml:space="preserve"><value>第一行\r
第二行</value></data>\r
</root>\r
"""


def test_only_strings_are_read_and_replaced() -> None:
    document = read_bytes(FILE.encode(), "Resources.resx")
    assert [(segment.block, segment.source) for segment in document.segments] == [
        ("Hello", "你好 {1/} & 再见"),
        ("Two", "第一行\n第二行"),
    ]
    assert document.segments[0].notes == (Note(NoteKind.NAME, "Hello"), Note(NoteKind.COMMENT, "问候"))
    assert render(document.data, "resx", {}) == document.data
    data = render(document.data, "resx", {"Hello": "<Hello> {1/} & bye", "Two": "One\ntwo"})
    assert data.decode() == FILE.replace("你好 {0:N2} &amp; 再见", "&lt;Hello&gt; {0:N2} &amp; bye").replace(
        "第一行\r\n第二行", "One\r\ntwo"
    )


@pytest.mark.parametrize("end", ["&#xD;\n", "&#13;&#10;"])
def test_carriage_return_references_are_kept(end: str) -> None:
    text = f'<root><data name="a"><value>一{end}二</value></data></root>'
    assert render(text.encode(), "resx", {"a": "One\ntwo"}).decode() == text.replace("一", "One").replace(
        "二", "two"
    )


def test_other_xml_is_refused() -> None:
    with pytest.raises(FormatError, match=r"not a valid \.resx file: its root element is “resources”"):
        read_bytes(b"<resources/>", "a.resx")
