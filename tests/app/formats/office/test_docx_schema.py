"""Every element of WordprocessingML that can hold text: what stands in it is offered, or counted."""

from __future__ import annotations

import docx_samples as samples
import pytest

from anaphora.core.counting import WordCount, count_words
from anaphora.formats.registry import read_bytes

RUN = "<w:r><w:t>夹带文字</w:t></w:r>"
BOX = f"<v:textbox><w:txbxContent><w:p>{RUN}</w:p></w:txbxContent></v:textbox>"
AROUND_RUNS = ("hyperlink", "smartTag", "customXml", "ins", "moveTo", "dir", "bdo", "fldSimple", "unheardOf")
MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
IN_PARAGRAPH = {
    **{name: f"<w:{name}>{RUN}</w:{name}>" for name in AROUND_RUNS},
    "nested": "<w:ins><w:smartTag><w:hyperlink>" + RUN + "</w:hyperlink></w:smartTag></w:ins>",
    "sdt": f"<w:sdt><w:sdtContent>{RUN}</w:sdtContent></w:sdt>",
    "rt": f"<w:r><w:ruby><w:rubyBase>{RUN}</w:rubyBase></w:ruby></w:r>",
    "textpath": '<w:r><w:pict><v:shape><v:textpath string="夹带文字"/></v:shape></w:pict></w:r>',
    "alt": '<w:r><w:pict><v:shape alt="夹带文字"/></w:pict></w:r>',
    "textbox": f"<w:r><w:pict><v:shape>{BOX}</v:shape></w:pict></w:r>",
    "object": f"<w:r><w:object><v:shape>{BOX}</v:shape></w:object></w:r>",
    "listItem": '<w:sdt><w:sdtPr><w:comboBox><w:listItem w:value="夹带文字"/></w:comboBox></w:sdtPr></w:sdt>',
    "listEntry": '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:listEntry w:val="夹带文字"/>'
    "</w:ddList></w:ffData></w:fldChar></w:r>" + samples.FIELD_END,
    "field": samples.field("QUOTE", "夹带文字"),
    "date": samples.field("DATE", "夹带文字"),
    "button": samples.field("MACROBUTTON x 夹带文字", ""),
    "formula": f'<m:oMath xmlns:m="{MATH}"><m:r><m:t>夹带文字</m:t></m:r></m:oMath>',
    "choice": f'<mc:AlternateContent><mc:Choice Requires="wps">{RUN}</mc:Choice></mc:AlternateContent>',
}
LEFT_OUT = ("date", "button", "formula", "unheardOf")
"""Not offered: the count says so."""


@pytest.mark.parametrize("name", IN_PARAGRAPH)
def test_text_in_an_element_is_offered_or_missed(name: str) -> None:
    document = read_bytes(samples.paragraph(f"<w:r><w:t>前面。</w:t></w:r>{IN_PARAGRAPH[name]}"), "a.docx")
    offered = sum((count_words(segment.source) for segment in document.segments), WordCount())
    assert document.counted is not None and document.counted.characters == 6
    assert offered.characters == (2 if name in LEFT_OUT else 6)


@pytest.mark.parametrize("name", ["del", "moveFrom"])
def test_deleted_text_is_neither(name: str) -> None:
    data = samples.paragraph(f"<w:r><w:t>前面。</w:t></w:r><w:{name}>{RUN}</w:{name}>")
    document = read_bytes(data, "a.docx")
    assert document.counted == WordCount(2) and "夹带" not in document.segments[0].source
