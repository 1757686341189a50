"""The languages and fonts that an Office document names: w:lang, lang of slides, themes, styles."""

from __future__ import annotations

from collections.abc import Iterator

from anaphora.formats.base import xml
from anaphora.formats.base.package import Package
from anaphora.formats.base.target_language import Slot, TargetLanguage
from anaphora.formats.office.opc import A, S, W, core_properties, load

_DC = "{http://purl.org/dc/elements/1.1/}"
_OF_WORD = {Slot.LATIN: "val", Slot.EAST_ASIAN: "eastAsia", Slot.COMPLEX: "bidi"}
_FONTS_OF_WORD = {Slot.LATIN: ("ascii", "hAnsi"), Slot.EAST_ASIAN: ("eastAsia",), Slot.COMPLEX: ("cs",)}
_OF_DRAWINGS = {Slot.LATIN: "latin", Slot.EAST_ASIAN: "ea", Slot.COMPLEX: "cs"}
_RUNS = tuple(A + name for name in ("rPr", "endParaRPr", "defRPr"))
_SIGNS = (b"lang", b"Lang", b"Fonts", b"typeface", b"rFont", b"<name ")
"""What a part has that names a language or a font."""


def with_languages(data: bytes, target: TargetLanguage) -> bytes:
    """A translated Office document that names its language, and fonts that have its letters.

    What named the source's names the target's, and so do the defaults; runs that were not translated keep it.
    """
    package = Package(data)
    names = [name for name in package.names if name.lower().endswith(".xml") and "/" in name]
    themes = _themes(package, names, target)
    own = next(iter(themes.values()), "")
    properties = core_properties(package)
    changed: dict[str, bytes] = {}
    for name in names:
        if not any(sign in package.read(name) for sign in _SIGNS):
            continue
        part = load(package, name)
        root = part.tree.getroot()
        done = [
            *_word_languages(root, target),
            *_run_languages(root, target),
            *_theme_fonts(root, target),
            *_fonts(root, target, own),
            *(_document_language(root, target) if properties and properties.name == name else ()),
        ]
        if any(done):
            changed[name] = part.data()
    return package.rewrite(changed)


def _themes(package: Package, names: list[str], target: TargetLanguage) -> dict[str, str]:
    """What each theme names for the target's script."""
    found: dict[str, str] = {}
    for name in names:
        if "/theme/" in name and target.theme_script:
            root = load(package, name).tree.getroot()
            for font in root.iter(A + "font"):
                if font.get("script") == target.theme_script and font.get("typeface"):
                    found.setdefault(name, font.get("typeface"))
    return found


def _word_languages(root: xml.Element, target: TargetLanguage) -> Iterator[bool]:
    name = W + _OF_WORD[target.slot]
    for defaults in root.iter(W + "rPrDefault"):
        properties = defaults.find(W + "rPr")
        if properties is not None and properties.find(W + "lang") is None:
            properties.append(properties.makeelement(W + "lang", {name: target.regional}))
            yield True
    for node in root.iter(W + "lang", W + "themeFontLang"):
        said = node.get(name)
        holder = node.getparent()
        is_default = node.tag == W + "themeFontLang" or (
            holder is not None
            and holder.getparent() is not None
            and holder.getparent().tag == W + "rPrDefault"
        )
        is_old = bool(said) and target.replaces(said) and not target.is_untranslated(_word_text(holder))
        if is_old or (is_default and (not said or target.is_another(said))):
            node.set(name, target.regional)
            yield True


def _word_text(properties: xml.Element | None) -> str:
    """The text of the run that has some properties; "" where they are those of a style."""
    run = None if properties is None else properties.getparent()
    return "" if run is None or run.tag != W + "r" else "".join(run.itertext(W + "t"))


def _run_languages(root: xml.Element, target: TargetLanguage) -> Iterator[bool]:
    """Those of slides, drawings and charts."""
    for node in root.iter(*_RUNS):
        if target.replaces(node.get("lang", "")):
            holder = node.getparent()
            text = "" if holder is None else holder.findtext(A + "t") or ""
            if not target.is_untranslated(text):
                node.set("lang", target.regional)
                yield True


def _theme_fonts(root: xml.Element, target: TargetLanguage) -> Iterator[bool]:
    slot = A + _OF_DRAWINGS[target.slot]
    for scheme in root.iter(A + "majorFont", A + "minorFont"):
        named = (font for font in scheme.iter(A + "font") if font.get("script") == target.theme_script)
        own = next((font.get("typeface", "") for font in named), "")
        font = scheme.find(slot)
        new = "" if font is None else target.font_for(font.get("typeface", ""), own)
        if new:
            _take(font, "typeface", new)
            yield True


def _fonts(root: xml.Element, target: TargetLanguage, own: str) -> Iterator[bool]:
    """Those named outside of themes."""
    places = [(W + "rFonts", W + name) for name in _FONTS_OF_WORD[target.slot]]
    places += [(A + _OF_DRAWINGS[target.slot], "typeface"), (S + "name", "val"), (S + "rFont", "val")]
    for tag, name in places:
        for node in root.iter(tag):
            new = target.font_for(node.get(name, ""), own)
            if new:
                _take(node, name, new)
                yield True


def _take(node: xml.Element, name: str, font: str) -> None:
    """Name a font; what describes the one before goes."""
    node.set(name, font)
    for described in ("panose", "pitchFamily", "charset"):
        node.attrib.pop(described, None)


def _document_language(root: xml.Element, target: TargetLanguage) -> Iterator[bool]:
    for node in root.iter(_DC + "language"):
        if target.replaces((node.text or "").strip()):
            node.text = target.regional
            yield True
