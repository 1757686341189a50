"""Mozilla's registry of Firefox Translations: https://mozilla.github.io/translations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from anaphora.core.errors import Message
from anaphora.core.language_pair import LanguagePair
from anaphora.model_downloads.catalogue import ListError, Offer, OfferedFile
from anaphora.model_downloads.sources.source import ReadJson

REGISTRY = (
    "https://storage.googleapis.com/moz-fx-translations-data--303e-prod-translations-data/db/models.json"
)
LICENCE, PAGE = "MPL-2.0", "https://github.com/mozilla/translations"
_ROLES = ("model", "vocab", "srcVocab", "trgVocab", "lexicalShortlist")
_MODEL = re.compile(r"model\.[\w\-]+\.intgemm(8|\.alphas)?\.bin")
_PIECES = re.compile(r"(vocab|srcvocab|trgvocab)\.[\w\-]+\.spm")
_SHORTLIST = re.compile(r"lex\.[\w.\-]+\.bin")
_FORMS = {
    "model": _MODEL,
    "vocab": _PIECES,
    "srcVocab": _PIECES,
    "trgVocab": _PIECES,
    "lexicalShortlist": _SHORTLIST,
}
_PREFERRED = ("Release", "Release Desktop", "Release Android")
_METRIC = "flores200-plus"


@dataclass(frozen=True)
class Mozilla:
    """Its models for Firefox, by pair and size.

    Attributes:
        registry: address of its list.
    """

    registry: str = REGISTRY
    key: str = "mozilla"
    title: str = "Firefox Translations"

    @property
    def asks(self) -> str:
        """See `Source`."""
        return urlsplit(self.registry).hostname or ""

    def offers(self, read: ReadJson) -> tuple[Offer, ...]:
        """See `Source`. Where a pair has several models of a size, the released one is offered."""
        registry = read(self.registry)
        try:
            base, models = str(registry["baseUrl"]), dict(registry["models"])
            found = [offer for pair, some in models.items() for offer in _of_pair(self.key, base, pair, some)]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ListError(
                Message("Mozilla's list of models cannot be read ({reason}).", reason=repr(error)),
                "A newer version of Anaphora may know how.",
            ) from error
        return tuple(found)

    def complete(self, offer: Offer, read: ReadJson) -> Offer:
        """See `Source`."""
        offers = self.offers(read)
        same = next((each for each in offers if each.name == offer.name), None)
        found = same or next((each for each in offers if each.pair == offer.pair), None)
        if found is None:
            raise ListError(Message("{name} is not offered any more.", name=offer.id))
        return found


def _of_pair(key: str, base: str, pair: str, models: list[Mapping[str, Any]]) -> Iterator[Offer]:
    source, _, target = pair.partition("-")
    ranked = sorted((each for each in models if each.get("releaseStatus") in _PREFERRED), key=_rank)
    seen = set()
    for model in ranked:
        size = str(model.get("architecture") or "")
        files = _files(base, model.get("files") or {})
        if files and size not in seen:
            seen.add(size)
            name = f"{pair} {size}".strip()
            yield Offer(key, name, LanguagePair(source, target), LICENCE, files, PAGE, size, _metrics(model))


def _rank(model: Mapping[str, Any]) -> int:
    return _PREFERRED.index(model["releaseStatus"])


def _files(base: str, files: Mapping[str, Mapping[str, Any]]) -> tuple[OfferedFile, ...]:
    """The files that are installed; none where one is missing or of a form that Anaphora does not read."""
    found = []
    for role in _ROLES:
        if (each := files.get(role)) is None:
            continue
        path = PurePosixPath(str(each["path"]))
        name = path.name.removesuffix(".gz")
        if path.suffix != ".gz" or not _FORMS[role].fullmatch(name):
            return ()
        digest, size = str(each.get("uncompressedHash") or ""), each.get("uncompressedSize")
        values = {"name": name, "address": f"{base.rstrip('/')}/{path}", "packed": True}
        found.append(OfferedFile.from_json({**values, "unpacked_sha256": digest, "unpacked_size": size}))
    roles = {*files}
    has_vocabulary = "vocab" in roles or {"srcVocab", "trgVocab"} <= roles
    return tuple(found) if "model" in roles and has_vocabulary else ()


def _metrics(model: Mapping[str, Any]) -> dict[str, float]:
    given = (model.get("metrics") or {}).get(_METRIC) or {}
    names = {"bleu": "FLORES-200+ BLEU", "comet22": "FLORES-200+ COMET-22"}
    return {names[key]: float(given[key]) for key in names if isinstance(given.get(key), (int, float))}
