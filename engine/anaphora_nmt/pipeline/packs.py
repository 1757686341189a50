"""What the pairs of memory packs and matches write to a memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from anaphora_nmt.errors import Cancelled
from anaphora_nmt.memory.contents import Contribution, Origin
from anaphora_nmt.models.bundle import Bundle
from anaphora_nmt.pipeline.lines import prepare_source
from anaphora_nmt.pipeline.suggesting import DraftMaker
from anaphora_nmt.steering import BroughtIn
from anaphora_nmt.text.proper_names import DocumentNames


def contributions_of(
    packs: Sequence[BroughtIn], bundle: Bundle, maker: DraftMaker, cancel: Callable[[], bool] | None
) -> list[tuple[str, Contribution]]:
    """What packs bring in, by what their pairs are called; Cancelled between two pairs."""
    named = [pair for pack in packs for pair in _named_sources(pack, bundle)]
    found: list[tuple[str, Contribution]] = []
    for name, names, (source, target) in named:
        if cancel is not None and cancel():
            raise Cancelled("bringing in a memory was cancelled")
        prepared = prepare_source(source, bundle.source, names.find)
        found.append((name, maker.contribution(prepared, target, Origin.CONFIRMED)))
    return found


def _named_sources(pack: BroughtIn, bundle: Bundle) -> list[tuple[str, DocumentNames, tuple[str, str]]]:
    """A pack's pairs with what they are called, and the proper names of the document that they make."""
    names = DocumentNames(bundle.names, [source for source, _ in pack.pairs])
    for called, (source, target) in zip(pack.names(), pack.pairs, strict=True):
        names.confirm(called, source, target)
    return [(called, names, pair) for called, pair in zip(pack.names(), pack.pairs, strict=True)]
