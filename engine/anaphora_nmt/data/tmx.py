"""Translation memories in TMX as documents: what stands together in a file was translated together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, iterparse

from anaphora_nmt.data.corpus import ParallelDocument
from anaphora_nmt.errors import CorpusError

LENGTH = 50
"""Pairs of one document: a file does not say which units belong together."""
_LANGUAGES = ("{http://www.w3.org/XML/1998/namespace}lang", "lang")
_CODES = ("bpt", "ept", "ph", "it", "ut")
"""Elements that hold a format's codes, no text."""


def read_tmx(path: Path, languages: tuple[str, str]) -> Iterator[ParallelDocument]:
    """Units in their order, `LENGTH` to a document; CorpusError: it cannot be read, or is cut off.

    Of languages countries and scripts do not count. Where one is "" it is the only other one of a unit.
    """
    wanted = _base(languages[0]), _base(languages[1])
    pairs: list[tuple[str, str]] = []
    number = 0
    for texts in _units(path):
        if (pair := _pair(texts, *wanted)) is not None:
            pairs.append(pair)
        if len(pairs) == LENGTH:
            yield ParallelDocument(f"{path.stem}-{number}", path.name, "", tuple(pairs))
            pairs, number = [], number + 1
    if pairs:
        yield ParallelDocument(f"{path.stem}-{number}", path.name, "", tuple(pairs))


def _units(path: Path) -> Iterator[dict[str, str]]:
    """Each unit's texts by language, without codes; a unit is dropped when it has been read."""
    root: Element | None = None
    try:
        for event, element in iterparse(path, events=("start", "end")):
            if root is None:
                root = element
            name = element.tag.rpartition("}")[2]
            if event == "end" and name == "tu":
                yield dict(_variants(element))
            if event == "end" and name in ("tu", "header"):
                element.clear()
            if event == "end" and name == "tu" and len(root):
                root[-1].clear()  # the body, which would keep its empty units
    except (OSError, ParseError) as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error


def _variants(unit: Element) -> Iterator[tuple[str, str]]:
    for variant in unit:
        language = next((variant.attrib[name] for name in _LANGUAGES if name in variant.attrib), "")
        segment = next((part for part in variant if part.tag.rpartition("}")[2] == "seg"), None)
        if segment is not None:
            yield _base(language), " ".join(_text(segment).split())


def _text(element: Element) -> str:
    """A segment's text; highlights keep theirs, codes have none."""
    parts = [element.text or ""]
    for inner in element:
        if inner.tag.rpartition("}")[2] not in _CODES:
            parts.append(_text(inner))
        parts.append(inner.tail or "")
    return "".join(parts)


def _pair(texts: dict[str, str], source: str, target: str) -> tuple[str, str] | None:
    if len(texts) == 2 and "" in (source, target):
        one, other = texts
        source = source or (other if target == one else one)
        target = target or (other if source == one else one)
    found = texts.get(source, ""), texts.get(target, "")
    return found if all(found) and source != target else None


_BY_THREE = {
    "zho": "zh",
    "cmn": "zh",
    "eng": "en",
    "deu": "de",
    "fra": "fr",
    "spa": "es",
    "rus": "ru",
    "jpn": "ja",
}
"""Languages that models name by three letters and translation memories by two."""


def _base(language: str) -> str:
    base = language.replace("_", "-").split("-")[0].lower()
    return _BY_THREE.get(base, base)
