"""Finds the source words that a remembered word translates in the earlier segment that it comes from."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import accumulate

import numpy as np
import torch
from numpy.typing import NDArray

from anaphora_nmt.memory.fusion import target_log_probs
from anaphora_nmt.pipeline.opened.document import OpenDocument, WordTranslation
from anaphora_nmt.pipeline.preparing.lines import PreparedLine
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_nmt.text.vocabulary import EOS
from anaphora_nmt.types import MIN_INFLUENCE, MemoryUse, TokenTrace
from anaphora_text.chinese_words import cut
from anaphora_text.function_words import STOP_WORDS
from anaphora_text.han import ALL_HAN

TranslatedWords = tuple[str, dict[str, WordTranslation]]
"""A target text, and the translation of each aligned word, by the word's spelling."""

_HAN = re.compile(f"[{ALL_HAN}]")
_MAX_SEGMENTS = 8
"""Maximum number of segments to align for one explanation; each is encoded and decoded only once."""
_PARTICLES = frozenset("的地得了着过之是在和与及或把被将从对由于为以而但也都就等其这那不后中上下")
"""Chinese words that attach to any neighbour and add nothing to its translation."""
_MIN_NEIGHBOUR = 0.5
"""Minimum attention on a neighbour of the most attended source word, as a share of that word's attention."""
_MIN_CLEAR, _MAX_OTHER = 0.8, 0.25
"""For `is_clear`: minimum attention of a target word, and maximum attention of any other content word."""
_MIN_RIVAL = 2 / 3
"""Minimum attention of a rival (see `rivals`), as a share of the target word's attention."""


@torch.inference_mode()
def with_word_translations(
    traces: Iterable[TokenTrace], drafter: Drafter, document: OpenDocument
) -> tuple[TokenTrace, ...]:
    """The traces, with translations of the remembered words that have a noticeable effect."""
    traces = tuple(traces)
    uses = [use for trace in traces for use in trace.uses if _is_noticeable(use)]
    uses = [use for use in uses if document.has_segment(use.segment)]
    uses.sort(key=lambda use: -abs(use.influence or 0.0))
    names = list(dict.fromkeys(use.segment for use in uses))[:_MAX_SEGMENTS]
    known = {name: _translated_words(drafter, document, document.index(name)) for name in names}
    return tuple(
        replace(trace, uses=tuple(_with_translation(use, known) for use in trace.uses)) for trace in traces
    )


def _with_translation(use: MemoryUse, known: Mapping[str, TranslatedWords]) -> MemoryUse:
    if use.segment not in known or not _is_noticeable(use):
        return use
    sentence, words = known[use.segment]
    return replace(use, sentence=sentence, **asdict(words.get(use.label, WordTranslation())))


def _is_noticeable(use: MemoryUse) -> bool:
    return bool(use.segment) and (use.decisive or abs(use.influence or 0.0) >= MIN_INFLUENCE)


def _translated_words(drafter: Drafter, document: OpenDocument, index: int) -> TranslatedWords:
    contribution = document.memory.contribution(index)
    if contribution is None:
        return "", {}
    key = index, contribution.pieces.tobytes()
    if key not in document.translated:
        source, pieces = document.source(index), contribution.pieces.astype(int).tolist()
        sentence = drafter.model.vocabulary.text(pieces)
        document.translated[key] = sentence, dict(_align(drafter, source, pieces))
    return document.translated[key]


def _align(
    drafter: Drafter, source: PreparedLine, pieces: list[int]
) -> Iterator[tuple[str, WordTranslation]]:
    """Align target words with the source words that they translate, by the attention of a forced decoding."""
    if not source.words:
        return
    model = drafter.model
    ids = torch.tensor([[*pieces, EOS]], device=model.device)
    features = model.decode(drafter.encode_whole([source]), ids, attention=True)
    assert features.attention is not None
    likely = target_log_probs(model.log_probs_after(features, ()), ids)[0].float().cpu().numpy()
    weights = features.attention[0].exp().float().cpu().numpy()[:, len(drafter.source.before) :]
    spans = list(model.vocabulary.spans(pieces))
    texts = [model.vocabulary.text(pieces[start:end]) for start, end in spans]
    rows = [weights[start:end].mean(0) for start, end in spans]
    shares = np.array([[row[slice(*word.pieces)].sum() for word in source.words] for row in rows])
    plain = source.line.plain
    words = [plain[word.start : word.end] for word in source.words]
    edges = (0, *accumulate(map(len, cut(plain)))) if _HAN.search(plain) else tuple(range(len(plain) + 1))
    for number, (first, last) in translated_stretches(texts, words, shares):
        start, end = whole_words(edges, source.words[first].start, source.words[last].end)
        inputs = texts, shares[:, first : last + 1].sum(1), number
        expected = float(likely[slice(*spans[number])].sum())
        yield texts[number], WordTranslation(plain[start:end], rivals(*inputs), expected, is_clear(*inputs))


def translated_stretches(
    targets: Sequence[str], sources: Sequence[str], shares: NDArray[np.floating]
) -> Iterator[tuple[int, tuple[int, int]]]:
    """(target word, (first, last source word)) of each clear alignment.

    Both directions must agree, as in the intersection of Och and Ney (2003). A stretch is the most attended
    source word, with neighbours that get half its attention or to which no other target word attends more.

    Args:
        shares: attention of the target words, [target words, source words].
    """
    strongest_target = shares.argmax(0)
    for number, row in enumerate(shares):
        strongest = first = last = int(row.argmax())
        if targets[int(strongest_target[strongest])] != targets[number]:
            continue
        attracted = {
            place
            for place, word in enumerate(sources)
            if strongest_target[place] == number and any(map(str.isalpha, word)) and word not in _PARTICLES
        }
        minimum = _MIN_NEIGHBOUR * row[strongest]
        while first > 0 and (row[first - 1] >= minimum or first - 1 in attracted):
            first -= 1
        while last + 1 < len(row) and (row[last + 1] >= minimum or last + 1 in attracted):
            last += 1
        if all(first <= place <= last for place in attracted):
            yield number, (first, last)


def whole_words(edges: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """Extend a stretch to the word edges around it, so that 度 becomes 梯度."""
    return edges[bisect_right(edges, start) - 1], edges[bisect_left(edges, end)]


def rivals(targets: Sequence[str], shares: NDArray[np.floating], number: int) -> tuple[str, ...]:
    """Other target words with nearly as much attention on a stretch of the source as word `number`."""
    near = np.flatnonzero(shares >= _MIN_RIVAL * shares[number]).tolist()
    return tuple(dict.fromkeys(targets[each] for each in near if targets[each] != targets[number]))


def is_clear(targets: Sequence[str], shares: NDArray[np.floating], number: int) -> bool:
    """True if a target word attends mostly to a source stretch, and other content words hardly do."""
    others = (
        share
        for place, share in enumerate(shares)
        if place != number and targets[place].isalpha() and targets[place].lower() not in STOP_WORDS
    )
    return bool(shares[number] > _MIN_CLEAR) and all(share < _MAX_OTHER for share in others)
