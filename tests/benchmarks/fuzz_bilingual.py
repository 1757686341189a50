"""XLIFF and TMX files with a text in an element or attribute, where their specifications allow it.

XLIFF 1.2 (strict), 2.0 (with the metadata module) and TMX 1.4b. Elements that may hold neither text nor
an attribute of free text are not here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

SAYS = "夹带文字"
"""The text that is put in."""
_TEXT = "第一句。"
_HOSTS = {
    "1.2": (
        "a.xlf",
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file{file} datatype="plaintext" '
        'source-language="zh" target-language="en"><header>{header}</header><body>{body}'
        f'<trans-unit id="1"{{tag}}><source>{_TEXT}{{inline}}</source>{{unit}}</trans-unit>'
        "</body></file></xliff>",
        {"file": ' original="a"'},
    ),
    "2.0": (
        "b.xlf",
        '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="zh" trgLang="en" '
        'xmlns:mda="urn:oasis:names:tc:xliff:metadata:2.0"><file id="f">{header}{body}'
        f'<unit id="1">{{unit}}<segment><source>{_TEXT}{{inline}}</source>{{segment}}</segment></unit>'
        "</file></xliff>",
        {},
    ),
    "tmx": (
        "a.tmx",
        '<tmx version="1.4"><header creationtool="x" creationtoolversion="1" segtype="sentence" o-tmf="x" '
        'adminlang="en" srclang="zh" datatype="plaintext">{header}</header><body>{body}<tu{tag}>{unit}'
        f'<tuv xml:lang="zh">{{variant}}<seg>{_TEXT}{{inline}}</seg></tuv></tu></body></tmx>',
        {},
    ),
}
"""By version: the file's name, the file with its places in braces, and what stands in those left alone."""
_UNIT1 = '<trans-unit id="2"><source>{}</source></trans-unit>'
_UNIT2 = '<unit id="2"><segment><source>{}</source></segment></unit>'
_BINARY = '<bin-unit id="4" mime-type="text/plain">{}</bin-unit>'
_SOURCE = "<bin-source><internal-file>x</internal-file></bin-source>"
_TUV = '<tu><tuv xml:lang="zh"><seg>{}</seg></tuv><tuv xml:lang="en"><seg>{}</seg></tuv></tu>'
_TU = '<tu><tuv xml:lang="zh"><seg>{}</seg></tuv></tu>'
_PLACES: dict[str, tuple[tuple[str, str, str, str], ...]] = {
    "xliff": (
        ("source", "1.2", "body", _UNIT1),
        ("source", "2.0", "body", _UNIT2),
        ("target", "1.2", "unit", "<target>{}</target>"),
        ("target", "2.0", "segment", "<target>{}</target>"),
        ("seg-source", "1.2", "unit", '<seg-source><mrk mtype="seg" mid="1">{}</mrk></seg-source>'),
        *(("note", "1.2", place, "<note>{}</note>") for place in ("unit", "header")),
        ("note", "2.0", "unit", '<notes><note id="1">{}</note></notes>'),
        ("note", "2.0", "header", '<notes><note id="1">{}</note></notes>'),
        *((name, "1.2", "inline", f'<{name} id="9">{{}}</{name}>') for name in ("g", "ph")),
        ("bpt", "1.2", "inline", '<bpt id="9">{}</bpt>字<ept id="9">x</ept>'),
        ("ept", "1.2", "inline", '<bpt id="9">x</bpt>字<ept id="9">{}</ept>'),
        ("it", "1.2", "inline", '<it id="9" pos="open">{}</it>'),
        *(("sub", "1.2", "inline", f'<{name} id="9">x<sub>{{}}</sub></{name}>') for name in ("ph", "bpt")),
        ("sub", "1.2", "inline", '<it id="9" pos="open">x<sub>{}</sub></it>'),
        *(("mrk", "1.2", "inline", f'<mrk mtype="{kind}">{{}}</mrk>') for kind in ("term", "protected")),
        ("mrk", "2.0", "inline", '<mrk id="m">{}</mrk>'),
        ("mrk", "2.0", "inline", '<mrk id="m" translate="no">{}</mrk>'),
        ("pc", "2.0", "inline", '<pc id="9">{}</pc>'),
        ("context", "1.2", "unit", '<context-group><context context-type="x-a">{}</context></context-group>'),
        *(
            ("internal-file", "1.2", "header", f"<{name}><internal-file>{{}}</internal-file></{name}>")
            for name in ("skl", "reference", "glossary")
        ),
        ("alt-trans", "1.2", "unit", "<alt-trans><source>{}</source><target>x</target></alt-trans>"),
        ("alt-trans", "1.2", "unit", "<alt-trans><target>{}</target></alt-trans>"),
        (
            *("bin-source", "1.2", "body"),
            _BINARY.format("<bin-source><internal-file>{}</internal-file></bin-source>"),
        ),
        (
            *("bin-target", "1.2", "body"),
            _BINARY.format(
                f"{_SOURCE}<bin-target><internal-file>{{}}</internal-file></bin-target>"
            ),
        ),
        ("bin-unit", "1.2", "body", _BINARY.format(f"{_SOURCE}{_UNIT1}")),
        ("group", "1.2", "body", f"<group>{_UNIT1}</group>"),
        ("group", "2.0", "body", f'<group id="g">{_UNIT2}</group>'),
        ("data", "2.0", "unit", '<originalData><data id="d">{}</data></originalData>'),
        ("skeleton", "2.0", "header", "<skeleton>{}</skeleton>"),
        ("ignorable", "2.0", "unit", "<ignorable><source>{}</source></ignorable>"),
        ("segment", "2.0", "unit", "<segment><source>{}</source></segment>"),
        (
            "mda:meta",
            "2.0",
            "unit",
            '<mda:metadata><mda:metaGroup><mda:meta type="x">{}</mda:meta></mda:metaGroup></mda:metadata>',
        ),
        ("x@equiv-text", "1.2", "inline", '<x id="9" equiv-text="{}"/>'),
        ("ph@equiv-text", "1.2", "inline", '<ph id="9" equiv-text="{}">x</ph>'),
        ("bpt@equiv-text", "1.2", "inline", '<bpt id="9" equiv-text="{}">x</bpt>字<ept id="9">x</ept>'),
        ("g@ctype", "1.2", "inline", '<g id="9" ctype="x-{}">字</g>'),
        ("mrk@comment", "1.2", "inline", '<mrk mtype="term" comment="{}">字</mrk>'),
        ("mrk@value", "2.0", "inline", '<mrk id="m" type="comment" value="{}">字</mrk>'),
        ("ph@disp", "2.0", "inline", '<ph id="9" disp="{}"/>'),
        ("ph@equiv", "2.0", "inline", '<ph id="9" equiv="{}"/>'),
        ("pc@dispStart", "2.0", "inline", '<pc id="9" dispStart="{}">字</pc>'),
        ("note@from", "1.2", "unit", '<note from="{}">x</note>'),
        ("trans-unit@resname", "1.2", "tag", ' resname="{}"'),
        ("trans-unit@restype", "1.2", "tag", ' restype="x-{}"'),
        ("file@original", "1.2", "file", ' original="{}"'),
    ),
    "tmx": (
        ("seg", "tmx", "body", _TU),
        *(("note", "tmx", place, "<note>{}</note>") for place in ("header", "unit", "variant")),
        *(("prop", "tmx", place, '<prop type="x">{}</prop>') for place in ("header", "unit", "variant")),
        ("hi", "tmx", "inline", "<hi>{}</hi>"),
        ("ph", "tmx", "inline", "<ph>{}</ph>"),
        ("it", "tmx", "inline", '<it pos="begin">{}</it>'),
        ("bpt", "tmx", "inline", '<bpt i="9">{}</bpt>字<ept i="9">x</ept>'),
        ("ept", "tmx", "inline", '<bpt i="9">x</bpt>字<ept i="9">{}</ept>'),
        ("ut", "tmx", "inline", "<ut>{}</ut>"),
        ("sub", "tmx", "inline", "<ph>x<sub>{}</sub></ph>"),
        ("sub", "tmx", "inline", '<it pos="begin">x<sub>{}</sub></it>'),
        ("tuv", "tmx", "body", _TUV.format("{}", "x")),
        ("tuv", "tmx", "body", _TUV.format("字", "{}")),
        ("tu@tuid", "tmx", "tag", ' tuid="{}"'),
        ("ph@type", "tmx", "inline", '<ph type="{}">x</ph>'),
        ("prop@type", "tmx", "unit", '<prop type="{}">x</prop>'),
        ("hi@type", "tmx", "inline", '<hi type="{}">字</hi>'),
        ("ude@name", "tmx", "header", '<ude name="{}"><map unicode="#xE000"/></ude>'),
        ("map@ent", "tmx", "header", '<ude name="x"><map unicode="#xE000" ent="{}"/></ude>'),
        ("map@subst", "tmx", "header", '<ude name="x"><map unicode="#xE000" subst="{}"/></ude>'),
    ),
}  # fmt: skip
"""By kind: element or `element@attribute`, the version, the place in its file, what stands there."""
KINDS = tuple(_PLACES)


def names(kind: str) -> tuple[str, ...]:
    """Elements, and attributes as `element@attribute`, each once."""
    return tuple(dict.fromkeys(place[0] for place in _PLACES[kind]))


def files(kind: str, element: str, says: str = SAYS) -> Iterator[tuple[str, bytes]]:
    """Name and content of a file for each place that an element may stand at, with a text in it."""
    for name, version, place, fragment in _PLACES[kind]:
        if name == element:
            yield _file(version, {place: fragment.replace("{}", says)})


def host(kind: str, name: str) -> bytes:
    """The file of this name with nothing put in."""
    versions = {place[1] for place in _PLACES[kind]}
    return next(_file(version, {})[1] for version in versions if _HOSTS[version][0] == name)


def _file(version: str, filled: dict[str, str]) -> tuple[str, bytes]:
    name, text, given = _HOSTS[version]
    return name, text.format_map(defaultdict(str, given | filled)).encode()
