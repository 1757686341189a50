"""Elements of each format's schema that can hold text: what stands in one is offered, or counted and named.

Word's are in `office/test_docx_schema.py`. Left out on purpose is what no program shows in the document.
"""

from __future__ import annotations

from pathlib import Path

import docx_samples as samples
import pytest
from rendering import render

from anaphora.core.counting import WordCount, count_words
from anaphora.core.source import SourceDocument
from anaphora.export.pseudo_translation import pseudo_translation
from anaphora.formats.registry import read_bytes

GOLDEN = Path(__file__).parents[2] / "golden"
SAYS = "夹带文字"
RUN = f"<a:p><a:r><a:t>{SAYS}</a:t></a:r></a:p>"
SHAPE = '<p:sp><p:nvSpPr><p:cNvPr id="99" name="x"{}/></p:nvSpPr><p:txBody>{}</p:txBody></p:sp>'
MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
PPTX = {
    "r": SHAPE.format("", RUN),
    "fld": SHAPE.format("", f'<a:p><a:fld id="{{1}}" type="x"><a:t>{SAYS}</a:t></a:fld></a:p>'),
    "descr": SHAPE.format(f' descr="{SAYS}"', ""),
    "title": SHAPE.format(f' title="{SAYS}"', ""),
    "tooltip": SHAPE.format(
        "", f'<a:p><a:r><a:rPr><a:hlinkClick tooltip="{SAYS}"/></a:rPr><a:t>1</a:t></a:r></a:p>'
    ),
    "tooltip under the mouse": SHAPE.format(
        "", f'<a:p><a:r><a:rPr><a:hlinkMouseOver tooltip="{SAYS}"/></a:rPr><a:t>1</a:t></a:r></a:p>'
    ),
    "tc": "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody>" + RUN
    + "</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>",
    "grpSp": f"<p:grpSp>{SHAPE.format('', RUN)}</p:grpSp>",
    "cxnSp": f'<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="98" name="x" descr="{SAYS}"/></p:nvCxnSpPr></p:cxnSp>',
    "pic": f'<p:pic><p:nvPicPr><p:cNvPr id="98" name="x" descr="{SAYS}"/></p:nvPicPr></p:pic>',
}  # fmt: skip
CELL = '<row r="900"><c r="A900"{}>{}</c></row>'
XLSX = {
    "is": CELL.format(' t="inlineStr"', f"<is><t>{SAYS}</t></is>"),
    "is r": CELL.format(' t="inlineStr"', "<is><r><t>夹带</t></r><r><rPr><b/></rPr><t>文字</t></r></is>"),
    "f": CELL.format(' t="str"', f'<f>"{SAYS}"</f><v>{SAYS}</v>'),
    "v": CELL.format(' t="str"', f"<f>A1</f><v>{SAYS}</v>"),
}
BEHIND_SHEET = {
    **{
        name: f"<headerFooter><{name}>{SAYS}</{name}></headerFooter>"
        for name in ("oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter")
    },
    **{
        name: f'<dataValidations><dataValidation {name}="{SAYS}" sqref="A1"/></dataValidations>'
        for name in ("prompt", "promptTitle", "error", "errorTitle")
    },
    "formula1": '<dataValidations><dataValidation type="list" sqref="A1">'
    f'<formula1>"{SAYS},b"</formula1></dataValidation></dataValidations>',
    "tooltip": f'<hyperlinks><hyperlink ref="A1" tooltip="{SAYS}"/></hyperlinks>',
}
ODT = {
    **{name: f"<text:{name}>{SAYS}</text:{name}>" for name in ("p", "h")},
    **{
        name: f"<text:p>前<text:{name}>{SAYS}</text:{name}></text:p>"
        for name in ("span", "a", "meta", "meta-field", "placeholder", "text-input", "user-field-get",
                     "variable-set", "expression", "conditional-text", "hidden-text", "chapter", "title",
                     "sequence", "database-display", "reference-ref", "bookmark-ref", "author-name")
    },
    "ruby-base": f"<text:p><text:ruby><text:ruby-base>{SAYS}</text:ruby-base></text:ruby></text:p>",
    "label": f'<text:p>前<text:drop-down><text:label text:value="{SAYS}"/></text:drop-down></text:p>',
    "list": f"<text:list><text:list-item><text:p>{SAYS}</text:p></text:list-item></text:list>",
    "list-header": f"<text:list><text:list-header><text:p>{SAYS}</text:p></text:list-header></text:list>",
    "numbered-paragraph": f"<text:numbered-paragraph><text:p>{SAYS}</text:p></text:numbered-paragraph>",
    "section": f'<text:section text:name="x"><text:p>{SAYS}</text:p></text:section>',
    "note-body": "<text:p>前<text:note><text:note-body><text:p>"
    f"{SAYS}</text:p></text:note-body></text:note></text:p>",
    "index-title": "<text:table-of-content><text:index-body><text:index-title><text:p>"
    f"{SAYS}</text:p></text:index-title></text:index-body></text:table-of-content>",
    "annotation": f"<text:p>前<office:annotation><text:p>{SAYS}</text:p></office:annotation></text:p>",
    "text-box": "<text:p>前<draw:frame><draw:text-box><text:p>"
    f"{SAYS}</text:p></draw:text-box></draw:frame></text:p>",
    "svg:title": f"<text:p>前<draw:frame><svg:title>{SAYS}</svg:title></draw:frame></text:p>",
    "svg:desc": f"<text:p>前<draw:frame><svg:desc>{SAYS}</svg:desc></draw:frame></text:p>",
    "custom-shape": f"<text:p>前<draw:custom-shape><text:p>{SAYS}</text:p></draw:custom-shape></text:p>",
    "cell": "<table:table><table:table-row><table:table-cell><text:p>"
    f"{SAYS}</text:p></table:table-cell></table:table-row></table:table>",
    "office:title": f'<text:p>前<text:a office:title="{SAYS}">1</text:a></text:p>',
}  # fmt: skip
_UNIT = "<trans-unit id='1'><source>{}</source></trans-unit>"
XLIFF = {
    "source": _UNIT.format(SAYS),
    **{name: _UNIT.format(f"前<{name} id='1'>{SAYS}</{name}>") for name in ("g", "mrk")},
    **{
        f"{name} sub": _UNIT.format(f"前<{name} id='1'>x<sub>{SAYS}</sub></{name}>")
        for name in ("ph", "it", "bpt", "ept")
    },
    "bin-unit": "<bin-unit id='1' mime-type='x'><bin-source/><trans-unit id='2'><source>"
    f"{SAYS}</source></trans-unit></bin-unit>",
    "group": f"<group>{_UNIT.format(SAYS)}</group>",
}
_SEGMENT = "<tu><tuv xml:lang='zh'><seg>{}</seg></tuv></tu>"
TMX = {
    "seg": _SEGMENT.format(SAYS),
    "hi": _SEGMENT.format(f"前<hi>{SAYS}</hi>"),
    **{
        f"{name} sub": _SEGMENT.format(f"前<{name} i='1'>x<sub>{SAYS}</sub></{name}>")
        for name in ("ph", "it", "bpt", "ept", "ut")
    },
}
_FLOW = (
    "p", "h1", "h6", "div", "section", "article", "aside", "header", "footer", "main", "nav", "address",
    "blockquote", "figure", "figcaption", "li", "dt", "dd", "td", "th", "caption", "legend", "summary",
    "details", "label", "button", "option", "optgroup", "textarea", "span", "a", "em", "strong", "small",
    "s", "cite", "q", "dfn", "abbr", "time", "i", "b", "u", "mark", "ruby", "bdi", "bdo", "ins", "sub",
    "sup", "output", "noscript", "template", "center", "font", "pre", "title",
)  # fmt: skip
HTML = {
    **{name: f"<{name}>{SAYS}</{name}>" for name in _FLOW},
    **{name: f'<p {name}="{SAYS}">1</p>' for name in ("title", "aria-label")},
    "alt": f'<img alt="{SAYS}">',
    "placeholder": f'<input placeholder="{SAYS}">',
    "value": f'<input type="submit" value="{SAYS}">',
    "optgroup label": f'<select><optgroup label="{SAYS}"></optgroup></select>',
    "track": f'<video><track label="{SAYS}"></video>',
    "description": f'<meta name="description" content="{SAYS}">',
    "svg": f"<svg><text>{SAYS}</text></svg>",
    "svg title": f"<svg><title>{SAYS}</title></svg>",
    "svg desc": f"<svg><desc>{SAYS}</desc></svg>",
    "tspan": f"<svg><text>前<tspan>{SAYS}</tspan></text></svg>",
    "textPath": f"<svg><text><textPath>{SAYS}</textPath></text></svg>",
    "foreignObject": f"<svg><foreignObject><p>{SAYS}</p></foreignObject></svg>",
    "rt": f"<ruby>汉<rt>{SAYS}</rt></ruby>",
    **{name: f"<p>前<{name}>{SAYS}</{name}></p>" for name in ("code", "kbd", "samp", "var", "tt", "math")},
    **{name: f"<{name}>{SAYS}</{name}>" for name in ("pre", "xmp", "listing")},
    "field": f'<input value="{SAYS}">',
    "search field": f'<input type="search" value="{SAYS}">',
    "srcdoc": f'<iframe srcdoc="&lt;p&gt;{SAYS}"></iframe>',
}


COMPUTED = (("xlsx", "v"),)
"""Texts that the program computes anew: of formulas that take them from cells."""


def in_part(golden: str, part: str, mark: str, fragment: str) -> SourceDocument:
    """A document with a fragment before the last `mark` of one of its parts."""
    data = (GOLDEN / golden).read_bytes()
    before, found, after = samples.entries(data)[part].decode().rpartition(mark)
    changed = (before + fragment + found + after).encode()
    return read_bytes(samples.repacked(data, {part: changed}), Path(golden).name)


def of(format_name: str, fragment: str) -> SourceDocument:
    """A document of a format with a fragment where it may stand."""
    if format_name == "pptx":
        return in_part("pptx/react-conf.pptx", "ppt/slides/slide1.xml", "</p:spTree>", fragment)
    if format_name == "xlsx":
        mark = "</sheetData>" if fragment.startswith("<row") else "</worksheet>"
        return in_part("xlsx/project-plan.xlsx", "xl/worksheets/sheet1.xml", mark, fragment)
    if format_name == "odt":
        return in_part("odt/privacy.odt", "content.xml", "</office:text>", fragment)
    if format_name == "epub":
        return in_part("epub/privacy.epub", "EPUB/text/ch001.xhtml", "</body>", fragment)
    if format_name == "xlf":
        page = '<xliff version="1.2"><file><body>{}</body></file></xliff>'
    elif format_name == "tmx":
        page = '<tmx version="1.4"><header srclang="zh"/><body>{}</body></tmx>'
    else:
        page = "<html><body>{}</body></html>"
    return read_bytes(page.format(fragment).encode(), f"a.{format_name}")


CASES = [
    (name, element, fragment)
    for name, fragments in {
        "pptx": PPTX, "xlsx": {**XLSX, **BEHIND_SHEET}, "odt": ODT, "xlf": XLIFF, "tmx": TMX, "html": HTML,
        "epub": {name: HTML[name] for name in
                 ("p", "h1", "li", "td", "span", "title", "alt", "svg", "rt", "code", "field", "srcdoc")},
    }.items()
    for element, fragment in fragments.items()
    if (name, element) not in COMPUTED
]  # fmt: skip


@pytest.mark.parametrize(("name", "element", "fragment"), CASES, ids=lambda value: value[:20])
def test_text_in_an_element_is_offered_or_said_to_be_left_out(name: str, element: str, fragment: str) -> None:
    document = of(name, fragment)
    sources = [segment.source for segment in document.segments]
    if any("夹带" in source for source in sources):
        return
    offered = sum((count_words(source) for source in sources), WordCount())
    assert document.counted is not None
    is_missed = document.counted.characters > offered.characters
    assert is_missed or document.notes != of(name, fragment.replace(SAYS, "1")).notes


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
PARAGRAPH = f"<w:p {W}><w:r><w:t>{SAYS}</w:t></w:r></w:p>"
IN_TEXTS = {
    "formula": f"<m:sup {MATH}>{PARAGRAPH}</m:sup>",
    "row": f"<w:tr {W}>{PARAGRAPH}</w:tr>",
    "title of a control": f'<w:alias {W} w:val="{SAYS}"/>',
    "footer": f"<oddFooter>{SAYS}</oddFooter>",
    "string": f"<comments><is><t>{SAYS}</t></is></comments>",
    "tip": f'<hyperlink tooltip="{SAYS}"/>',
}


@pytest.mark.parametrize("element", IN_TEXTS)
def test_no_translation_is_taken_for_a_text_that_would_be_lost_with_the_one_around_it(element: str) -> None:
    """No program allows an element in a text; what stands there is counted."""
    fragment = IN_TEXTS[element]
    if "w:" in fragment:
        document = read_bytes(samples.paragraph(f"<w:r><w:t>前文{fragment}</w:t></w:r>"), "a.docx")
    else:
        cell = f"<is><t>前文</t>{fragment}</is>"
        document = of("xlsx", CELL.format(' t="inlineStr"', cell))
    targets = {segment.id: pseudo_translation(segment.source) for segment in document.segments}
    again = read_bytes(render(document.data, document.format, targets), document.name)
    # Names of sheets may hold no brackets.
    said = "".join(segment.source for segment in again.segments)
    assert not [target for target in targets.values() if target[1:-1] not in said]
    offered = sum((count_words(segment.source) for segment in document.segments), WordCount())
    assert document.counted is not None and document.counted.characters > offered.characters
