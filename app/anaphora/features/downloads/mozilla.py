"""Mozilla's registry of Firefox Translations: https://mozilla.github.io/translations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from anaphora.core.errors import Message
from anaphora.core.language_pair import LanguagePair
from anaphora.features.downloads.catalogue import ListError, OfferedFile, OfferedModel

REGISTRY = (
    "https://storage.googleapis.com/moz-fx-translations-data--303e-prod-translations-data/db/models.json"
)
PAGE = "https://github.com/mozilla/translations"
LICENCE, LICENCE_ADDRESS = "MPL 2.0", "https://www.mozilla.org/MPL/2.0/"
"""The licence of all models in the registry; it allows commercial use."""
_VOCABULARY = re.compile(r"(vocab|srcvocab|trgvocab)\.[\w\-]+\.spm")
_NAME_PATTERNS = {
    "model": re.compile(r"model\.[\w\-]+\.intgemm(8|\.alphas)?\.bin"),
    "vocab": _VOCABULARY,
    "srcVocab": _VOCABULARY,
    "trgVocab": _VOCABULARY,
    "lexicalShortlist": re.compile(r"lex\.[\w.\-]+\.bin"),
}
_RELEASE_STATUSES = ("Release", "Release Desktop", "Release Android")
_METRIC = "flores200-plus"
_METRICS = {"bleu": "FLORES-200+ BLEU", "comet22": "FLORES-200+ COMET-22"}


def offers(read: Callable[[str], Any]) -> tuple[OfferedModel, ...]:
    """The released models; `read` returns the JSON value at an address. Raises ListError if it is invalid."""
    registry = read(REGISTRY)
    try:
        base, models = str(registry["baseUrl"]), dict(registry["models"])
        return tuple(offer for pair, each in models.items() for offer in _offers_of_pair(base, pair, each))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ListError(
            Message("Mozilla's list of models cannot be read ({reason}).", reason=repr(error)),
            "A newer version of Anaphora may support the list.",
        ) from error


def complete(offer: OfferedModel, read: Callable[[str], Any]) -> OfferedModel:
    """The registry's current offer with the same name or, if there is none, with the same languages.

    Raises:
        AnaphoraError: the registry cannot be reached or read, or no longer has the model.
    """
    known = offers(read)
    same = next((each for each in known if each.name == offer.name), None)
    current = same or next((each for each in known if each.pair == offer.pair), None)
    if current is None:
        raise ListError(Message("{name} is no longer available.", name=offer.name))
    return current


def host_of(offer: OfferedModel) -> str:
    """The first server that is contacted for a model."""
    return offer.host or urlsplit(REGISTRY).hostname or ""


def _offers_of_pair(base: str, pair: str, models: list[Mapping[str, Any]]) -> Iterator[OfferedModel]:
    source, _, target = pair.partition("-")
    released = (each for each in models if each.get("releaseStatus") in _RELEASE_STATUSES)
    seen = set()
    for model in sorted(released, key=lambda each: _RELEASE_STATUSES.index(each["releaseStatus"])):
        size = str(model.get("architecture") or "")
        files = _files(base, model.get("files") or {})
        if files and size not in seen:
            seen.add(size)
            scores = (model.get("metrics") or {}).get(_METRIC) or {}
            metrics = {_METRICS[key]: float(scores[key]) for key in _METRICS if scores.get(key) is not None}
            name = f"{pair} {size}".strip()
            yield OfferedModel(name, LanguagePair(source, target), files, size, metrics)


def _files(base: str, files: Mapping[str, Mapping[str, Any]]) -> tuple[OfferedFile, ...]:
    """The files to install; empty if the model cannot be used."""
    offered = []
    for role, pattern in _NAME_PATTERNS.items():
        if (each := files.get(role)) is None:
            continue
        path = PurePosixPath(str(each["path"]))
        name = path.name.removesuffix(".gz")
        digest, size = each.get("uncompressedHash"), each.get("uncompressedSize")
        if path.suffix != ".gz" or not pattern.fullmatch(name) or not (digest and size):
            return ()
        offered.append(OfferedFile(name, f"{base.rstrip('/')}/{path}", size, str(digest)))
    has_vocabulary = "vocab" in files or {"srcVocab", "trgVocab"} <= files.keys()
    return tuple(offered) if "model" in files and has_vocabulary else ()
