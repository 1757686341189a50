"""The languages and fonts that an OpenDocument names in its styles."""

from __future__ import annotations

from anaphora.formats.base import xml
from anaphora.formats.base.target_language import ScriptGroup, TargetLanguage

_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_FO = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_LANGUAGE = "{http://purl.org/dc/elements/1.1/}language"
_ENDINGS = {ScriptGroup.LATIN: "", ScriptGroup.EAST_ASIAN: "-asian", ScriptGroup.COMPLEX: "-complex"}


def with_styles_language(root: xml.Element, target: TargetLanguage) -> bool:
    """Have the styles of a part name the target's language, and fonts that have its letters.

    The languages of numbers and dates stay: they define their notation.

    Returns:
        whether anything changed.
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


def with_document_language(root: xml.Element, target: TargetLanguage) -> bool:
    """Have the document's properties name the target's language where they name the source's."""
    changed = False
    for node in root.iter(_LANGUAGE):
        if target.replaces((node.text or "").strip()):
            node.text, changed = target.regional, True
    return changed


def _name_language(properties: xml.Element, is_default: bool, target: TargetLanguage) -> None:
    """The language of one style's text in the target's scripts."""
    ending = _ENDINGS[target.script_group]
    # Those of Latin letters are of another namespace.
    language, country, script = (
        f"{_STYLE if ending else _FO}{part}{ending}" for part in ("language", "country", "script")
    )
    said = properties.get(language)
    is_unsaid = said in (None, "none")
    is_old = not is_unsaid and target.replaces(said)
    if not is_old and not (is_default and (is_unsaid or target.is_another(said))):
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
