"""Change the languages and fonts of an Office document: w:lang, lang of slides, themes, styles."""

from __future__ import annotations

from collections.abc import Iterator

from anaphora.formats.base import xml
from anaphora.formats.base.package import Package
from anaphora.formats.base.target_language import ScriptGroup, TargetLanguage
from anaphora.formats.office.opc import A, S, W, core_properties, load

_LANGUAGE = "{http://purl.org/dc/elements/1.1/}language"
_WORD_ATTRIBUTES = {ScriptGroup.LATIN: "val", ScriptGroup.EAST_ASIAN: "eastAsia", ScriptGroup.COMPLEX: "bidi"}
_WORD_FONTS = {
    ScriptGroup.LATIN: ("ascii", "hAnsi"),
    ScriptGroup.EAST_ASIAN: ("eastAsia",),
    ScriptGroup.COMPLEX: ("cs",),
}
_DRAWINGS = {ScriptGroup.LATIN: "latin", ScriptGroup.EAST_ASIAN: "ea", ScriptGroup.COMPLEX: "cs"}
_RUNS = tuple(A + name for name in ("rPr", "endParaRPr", "defRPr"))
_SIGNS = (b"lang", b"Lang", b"Fonts", b"typeface", b"rFont", b"<name ")
"""Parts with a language or a font contain one of these."""
_Edit = tuple[xml.Element, str, str]
"""An element, and a new value of an attribute."""


def with_languages(data: bytes, target: TargetLanguage) -> bytes:
    """A translated Office document with the target's language, and fonts that have its letters.

    The target's language replaces the source's in all elements, and any other language in the defaults.
    """
    package = Package(data)
    names = [name for name in package.names if name.lower().endswith(".xml") and "/" in name]
    properties = core_properties(package)
    changed: dict[str, bytes] = {}
    for name in names:
        if not any(sign in package.read(name) for sign in _SIGNS):
            continue
        part = load(package, name)
        root = part.tree.getroot()
        edits = [*_word_languages(root, target), *_run_languages(root, target), *_fonts(root, target)]
        for node, attribute, value in edits:
            node.set(attribute, value)
        for node in root.iter(_LANGUAGE) if properties is not None and properties.name == name else ():
            if target.replaces((node.text or "").strip()):
                node.text = target.regional
                edits.append((node, "", node.text))
        if edits:
            changed[name] = part.data()
    return package.rewrite(changed)


def _word_languages(root: xml.Element, target: TargetLanguage) -> Iterator[_Edit]:
    name = W + _WORD_ATTRIBUTES[target.script_group]
    for properties in root.iterfind(f".//{W}rPrDefault/{W}rPr"):
        if properties.find(W + "lang") is None:
            properties.append(properties.makeelement(W + "lang"))
    for node in root.iter(W + "lang", W + "themeFontLang"):
        old = node.get(name, "")
        is_default = node.tag == W + "themeFontLang" or any(
            True for _ in node.iterancestors(W + "rPrDefault")
        )
        if target.replaces(old) or (is_default and (not old or target.differs_from(old))):
            yield node, name, target.regional


def _run_languages(root: xml.Element, target: TargetLanguage) -> Iterator[_Edit]:
    """The languages of slides, drawings and charts."""
    for node in root.iter(*_RUNS):
        if target.replaces(node.get("lang", "")):
            yield node, "lang", target.regional


def _fonts(root: xml.Element, target: TargetLanguage) -> Iterator[_Edit]:
    places = [(W + "rFonts", W + name) for name in _WORD_FONTS[target.script_group]]
    places += [(A + _DRAWINGS[target.script_group], "typeface"), (S + "name", "val"), (S + "rFont", "val")]
    for tag, name in places:
        for node in root.iter(tag):
            if new := target.font_for(node.get(name, "")):
                for described in ("panose", "pitchFamily", "charset"):
                    node.attrib.pop(described, None)
                yield node, name, new
