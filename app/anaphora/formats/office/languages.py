"""The languages and fonts that an Office document names: w:lang, lang of slides, themes, styles."""

from __future__ import annotations

from collections.abc import Iterator

from anaphora.formats.base import xml
from anaphora.formats.base.package import Package
from anaphora.formats.base.target_language import ScriptGroup, TargetLanguage
from anaphora.formats.office.opc import A, S, W, core_properties, load

_LANGUAGE = "{http://purl.org/dc/elements/1.1/}language"
_OF_WORD = {ScriptGroup.LATIN: "val", ScriptGroup.EAST_ASIAN: "eastAsia", ScriptGroup.COMPLEX: "bidi"}
_FONTS_OF_WORD = {
    ScriptGroup.LATIN: ("ascii", "hAnsi"),
    ScriptGroup.EAST_ASIAN: ("eastAsia",),
    ScriptGroup.COMPLEX: ("cs",),
}
_OF_DRAWINGS = {ScriptGroup.LATIN: "latin", ScriptGroup.EAST_ASIAN: "ea", ScriptGroup.COMPLEX: "cs"}
_RUNS = tuple(A + name for name in ("rPr", "endParaRPr", "defRPr"))
_SIGNS = (b"lang", b"Lang", b"Fonts", b"typeface", b"rFont", b"<name ")
"""Strings in parts that name a language or a font."""
_Edit = tuple[xml.Element, str, str]
"""An element, and a new value of an attribute."""


def with_languages(data: bytes, target: TargetLanguage) -> bytes:
    """A translated Office document that names its language, and fonts that have its letters.

    Elements that named the source's language name the target's, and so do the defaults.
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
    name = W + _OF_WORD[target.script_group]
    for properties in root.iterfind(f".//{W}rPrDefault/{W}rPr"):
        if properties.find(W + "lang") is None:
            properties.append(properties.makeelement(W + "lang"))
    for node in root.iter(W + "lang", W + "themeFontLang"):
        said = node.get(name, "")
        is_default = node.tag == W + "themeFontLang" or any(
            True for _ in node.iterancestors(W + "rPrDefault")
        )
        if target.replaces(said) or (is_default and (not said or target.is_another(said))):
            yield node, name, target.regional


def _run_languages(root: xml.Element, target: TargetLanguage) -> Iterator[_Edit]:
    """Those of slides, drawings and charts."""
    for node in root.iter(*_RUNS):
        if target.replaces(node.get("lang", "")):
            yield node, "lang", target.regional


def _fonts(root: xml.Element, target: TargetLanguage) -> Iterator[_Edit]:
    places = [(W + "rFonts", W + name) for name in _FONTS_OF_WORD[target.script_group]]
    places += [(A + _OF_DRAWINGS[target.script_group], "typeface"), (S + "name", "val"), (S + "rFont", "val")]
    for tag, name in places:
        for node in root.iter(tag):
            if new := target.font_for(node.get(name, "")):
                for described in ("panose", "pitchFamily", "charset"):
                    node.attrib.pop(described, None)
                yield node, name, new
