"""Which source words a remembered word stands for in its own segment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np
import torch

from anaphora_nmt.pipeline.document import OpenDocument
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.lines import PreparedLine
from anaphora_nmt.text.vocabulary import EOS
from anaphora_nmt.types import NOTICEABLE, MemoryUse, TokenTrace

_SEGMENTS = 8
"""Segments looked at for one explanation: each is encoded and decoded once, and then known."""
_PART = 0.5
"""A source word belongs to it, too, with so much of the strongest one's attention."""


@torch.inference_mode()
def with_word_translations(
    traces: Iterable[TokenTrace], drafter: Drafter, document: OpenDocument
) -> tuple[TokenTrace, ...]:
    """The traces, where remembered words that acted noticeably say what they translate in their segments."""
    traces = tuple(traces)
    acted = [use for trace in traces for use in trace.uses if _acted(use) and document.holds(use.segment)]
    acted.sort(key=lambda use: -abs(use.influence or 0.0))
    names = list(dict.fromkeys(use.segment for use in acted))[:_SEGMENTS]
    known = {name: _words(drafter, document, document.index(name)) for name in names}
    return tuple(
        replace(
            trace,
            uses=tuple(
                replace(use, translates=known.get(use.segment, {}).get(use.label, "")) if _acted(use) else use
                for use in trace.uses
            ),
        )
        for trace in traces
    )


def _acted(use: MemoryUse) -> bool:
    return bool(use.segment) and (use.decisive or abs(use.influence or 0.0) >= NOTICEABLE)


def _words(drafter: Drafter, document: OpenDocument, index: int) -> Mapping[str, str]:
    """By each word of what a segment contributes, the source words that it attends to."""
    written = document.memory.written(index)
    if written is None:
        return {}
    key = index, written.pieces.tobytes()
    if key not in document.translated:
        source, pieces = document.source(index), written.pieces.astype(int).tolist()
        document.translated[key] = dict(_aligned(drafter, source, pieces))
    return document.translated[key]


def _aligned(drafter: Drafter, source: PreparedLine, pieces: list[int]) -> Iterator[tuple[str, str]]:
    """Target words with the source words that they attend to, where these are attended to most by them.

    Both directions have to agree, as in the intersection of Och and Ney (2003): what one direction alone
    says is wrong too often to be told.
    """
    if not source.words:
        return
    model = drafter.model
    ids = torch.tensor([[*pieces, EOS]], device=model.device)
    attention = model.base.force_decode(drafter.encode_whole([source]), ids, attention=True).attention
    assert attention is not None
    weights = attention[0].exp().float().cpu().numpy()[:, len(drafter.source.before) :]
    spans = list(model.vocabulary.spans(pieces))
    texts = [model.vocabulary.text(pieces[start:end]) for start, end in spans]
    rows = [weights[start:end].mean(0) for start, end in spans]
    shares = np.array([[row[slice(*word.pieces)].sum() for word in source.words] for row in rows])
    for text, row in zip(texts, shares, strict=True):
        strongest = first = last = int(row.argmax())
        if texts[int(shares[:, strongest].argmax())] != text:
            continue
        while first > 0 and row[first - 1] >= _PART * row[strongest]:
            first -= 1
        while last + 1 < len(row) and row[last + 1] >= _PART * row[strongest]:
            last += 1
        yield text, source.line.plain[source.words[first].start : source.words[last].end]
