"""The language and the fonts in an OpenDocument file's styles and properties."""

from __future__ import annotations

from anaphora.formats.base import xml
from anaphora.formats.base.target_language import ScriptGroup, TargetLanguage

_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_FO = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_LANGUAGE = "{http://purl.org/dc/elements/1.1/}language"
_ENDINGS = {ScriptGroup.LATIN: "", ScriptGroup.EAST_ASIAN: "-asian", ScriptGroup.COMPLEX: "-complex"}


def set_styles_language(root: xml.Element, target: TargetLanguage) -> bool:
    """Set the target's language in the styles of a part, and fonts that have its letters.

    The languages of numbers and dates stay, because they define the notation.

    Returns:
        True if anything changed.
    """
    fonts = {
        face.get(_STYLE + "name", ""): face.get(_SVG + "font-family", "")
        for face in root.iter(_STYLE + "font-face")
    }
    changed = False
    for properties in root.iter(_STYLE + "text-properties"):
        style = properties.getparent()
        is_default = style is not None and style.tag == _STYLE + "default-style"
        before = dict(properties.attrib)
        _name_language(properties, is_default, target)
        _name_font(properties, fonts, target)
        changed |= dict(properties.attrib) != before
    return changed


def set_document_language(root: xml.Element, target: TargetLanguage) -> bool:
    """Replace the source's language in the document's properties; return True if anything changed."""
    changed = False
    for node in root.iter(_LANGUAGE):
        if target.replaces((node.text or "").strip()):
            node.text, changed = target.regional, True
    return changed


def _name_language(properties: xml.Element, is_default: bool, target: TargetLanguage) -> None:
    """Set the language of one style for the target's group of scripts."""
    ending = _ENDINGS[target.script_group]
    # The attributes for Latin letters have another namespace.
    language, country, script = (
        f"{_STYLE if ending else _FO}{part}{ending}" for part in ("language", "country", "script")
    )
    old = properties.get(language)
    is_missing = old in (None, "none")
    is_source = not is_missing and target.replaces(old)
    if not is_source and not (is_default and (is_missing or target.differs_from(old))):
        return
    base, *rest = target.regional.split("-")
    properties.set(language, base)
    properties.set(country, rest[-1] if rest else "none")
    for name in (script, f"{_STYLE}rfc-language-tag{ending}"):
        properties.attrib.pop(name, None)


def _name_font(properties: xml.Element, fonts: dict[str, str], target: TargetLanguage) -> None:
    ending = _ENDINGS[target.script_group]
    by_name, family = f"{_STYLE}font-name{ending}", f"{_FO if not ending else _STYLE}font-family{ending}"
    face = properties.get(by_name, "")
    new = target.font_for(fonts.get(face, face) or properties.get(family, ""))
    if new:
        properties.attrib.pop(by_name, None)
        properties.set(family, f"'{new}'" if " " in new else new)
