"""Alignment error rate of attention (Och and Ney, 2003; Meng et al., 2018, Table 2)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.evaluation.counts import MatchCounts
from anaphora_nmt.text.normalize import normalize_source, normalize_target
from anaphora_nmt.text.protect import FIRST_PLACEHOLDER

Link = tuple[int, int]
Span = tuple[int, int]


@dataclass(frozen=True)
class AlignedPair:
    """A sentence pair aligned by hand.

    Attributes:
        document, segment: where it stands in its corpus. licence: of the document.
        source, target: raw texts.
        source_tokens, target_tokens: what is aligned.
        source_spans, target_spans: their characters in the normalised texts.
        sure, possible: links (source token, target token); the sure ones are possible too.
    """

    document: str
    segment: int
    licence: str
    source: str
    target: str
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    source_spans: tuple[Span, ...]
    target_spans: tuple[Span, ...]
    sure: frozenset[Link]
    possible: frozenset[Link]


@dataclass(frozen=True, slots=True)
class AlignmentError:
    """How well predicted links fit.

    Attributes:
        rate: AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|), 0 to 1.
        precision: |A ∩ P| / |A|. recall: |A ∩ S| / |S|.
        pairs, links: sentence pairs, and |A|.
    """

    rate: float
    precision: float
    recall: float
    pairs: int
    links: int


def load_aligned_pairs(path: Path) -> list[AlignedPair]:
    """Read a file of alignments by hand.

    Raises:
        CorpusError: missing, damaged, or a link or token does not fit its text.
    """
    try:
        records = json.loads(path.read_text("utf-8"))["pairs"]
        return [_pair(record) for record in records]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CorpusError(f"{path} is no readable file of alignments: {error}") from error


def alignment_error(predicted: Iterable[set[Link]], pairs: Sequence[AlignedPair]) -> AlignmentError:
    """AER of all pairs together.

    Raises:
        CorpusError: there are no pairs, or not as many predictions.
    """
    links = list(predicted)
    if not pairs or len(links) != len(pairs):
        raise CorpusError(f"{len(links)} alignments for {len(pairs)} sentence pairs")
    total = sum(len(found) for found in links)
    sure = sum(len(pair.sure) for pair in pairs)
    in_sure = sum(len(found & pair.sure) for found, pair in zip(links, pairs, strict=True))
    in_possible = sum(len(found & pair.possible) for found, pair in zip(links, pairs, strict=True))
    return AlignmentError(
        rate=1 - (in_sure + in_possible) / (total + sure),
        precision=in_possible / total if total else 0.0,
        recall=in_sure / sure if sure else 0.0,
        pairs=len(pairs),
        links=total,
    )


class AlignmentCounts(MatchCounts):
    """Counts of each pair, to resample pairs: |A|, |A ∩ S|, |A ∩ P| and |S|, float64 [N, 4]."""

    def scores(self, sums: np.ndarray) -> np.ndarray:
        """AER of sums of rows, in per cent, [..., 4] → [...]."""
        return 100 * (1 - (sums[..., 1] + sums[..., 2]) / (sums[..., 0] + sums[..., 3]))


def count_links(predicted: Iterable[set[Link]], pairs: Sequence[AlignedPair]) -> AlignmentCounts:
    """What AER is made of, pair by pair."""
    rows = [
        (len(found), len(found & pair.sure), len(found & pair.possible), len(pair.sure))
        for found, pair in zip(predicted, pairs, strict=True)
    ]
    return AlignmentCounts("AER", np.array(rows, np.float64).reshape(-1, 4))


def strongest_links(attention: np.ndarray) -> set[Link]:
    """Each target token with the source token that it attends to most; [target, source] → links.

    The paper does not say how it made links of weights; this is the common way. A token that attends to no
    source token at all (only to the marks) has no link.
    """
    return {(int(row.argmax()), number) for number, row in enumerate(attention) if row.max() > 0}


def token_attention(
    attention: np.ndarray,
    pieces: tuple[Sequence[Span], Sequence[Span]],
    tokens: tuple[Sequence[Span], Sequence[Span]],
) -> np.ndarray:
    """Attention of pieces → of tokens: summed over a source token's pieces, the mean of a target token's.

    Args:
        attention: [target pieces, source pieces], the marks' rows and columns left out.
        pieces, tokens: spans of (source, target) in the same normalised texts. A piece across tokens is
            shared among them by characters.
    Returns:
        [target tokens, source tokens].
    """
    columns = _overlap(pieces[0], tokens[0])
    rows = _overlap(pieces[1], tokens[1])
    rows = rows / np.maximum(rows.sum(0, keepdims=True), 1e-9)
    return rows.T @ attention @ columns


def expanded_spans(text: str, strings: Sequence[str], spans: Iterable[Span]) -> list[Span]:
    """Spans in a protected text → in the normalised one, which has `strings` in place of placeholders."""
    sizes = []
    for character in text:
        number = ord(character) - FIRST_PLACEHOLDER
        sizes.append(len(strings[number]) if 0 <= number < len(strings) else 1)
    offsets = np.concatenate(([0], np.cumsum(np.array(sizes, np.int64))))
    return [(int(offsets[start]), int(offsets[end])) for start, end in spans]


def find_tokens(text: str, tokens: Sequence[str]) -> tuple[Span, ...]:
    """Where the tokens stand in a text, one after the other; ValueError if one does not."""
    spans: list[Span] = []
    at = 0
    for token in tokens:
        start = text.index(token, at)
        at = start + len(token)
        spans.append((start, at))
    return tuple(spans)


def _overlap(pieces: Sequence[Span], tokens: Sequence[Span]) -> np.ndarray:
    """Share of each piece's characters in each token, [pieces, tokens]; rows sum to 1 or are empty."""
    starts = np.array([span[0] for span in pieces])[:, None], np.array([span[0] for span in tokens])[None]
    ends = np.array([span[1] for span in pieces])[:, None], np.array([span[1] for span in tokens])[None]
    shared = np.maximum(np.minimum(*ends) - np.maximum(*starts), 0).astype(np.float64)
    return shared / np.maximum(shared.sum(1, keepdims=True), 1e-9)


def _pair(record: dict[str, Any]) -> AlignedPair:
    source_tokens, target_tokens = tuple(record["source_tokens"]), tuple(record["target_tokens"])
    sure = frozenset((int(s), int(t)) for s, t in record["sure"])
    possible = sure | {(int(s), int(t)) for s, t in record["possible"]}
    if any(s >= len(source_tokens) or t >= len(target_tokens) for s, t in possible):
        raise ValueError(f"a link of {record['doc']}, segment {record['segment']}, leads to no token")
    return AlignedPair(
        document=record["doc"],
        segment=record["segment"],
        licence=record["licence"],
        source=record["zh"],
        target=record["en"],
        source_tokens=source_tokens,
        target_tokens=target_tokens,
        source_spans=find_tokens(normalize_source(record["zh"]), source_tokens),
        target_spans=find_tokens(normalize_target(record["en"]), target_tokens),
        sure=sure,
        possible=possible,
    )
