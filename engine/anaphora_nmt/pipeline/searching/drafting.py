"""Translation of prepared sources into drafts, and forced decoding of targets."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.config import CamnConfig
from anaphora_nmt.errors import Cancel
from anaphora_nmt.memory.contents import Contribution, MemorySnapshot, Origin
from anaphora_nmt.memory.document_context import ContextBatch, gather_context
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.nn.state import Encoded, Features
from anaphora_nmt.pipeline.opened.drafts import Draft
from anaphora_nmt.pipeline.preparing.lines import (
    Part,
    PreparedLine,
    chunks,
    halves,
    prepare_target,
    with_words_protected,
)
from anaphora_nmt.pipeline.preparing.terms import carry_terms, place_terms
from anaphora_nmt.pipeline.searching.part_search import (
    Batch,
    ContextLines,
    Job,
    PartDrafts,
    PartSearch,
    SearchContext,
    padded,
)
from anaphora_nmt.search.beam import Hypothesis
from anaphora_nmt.search.prefix import PrefixSearch
from anaphora_nmt.search.sentence_terms import SentenceTerms
from anaphora_nmt.text.latin_words import lost_words
from anaphora_nmt.text.loops import has_loop
from anaphora_nmt.text.protect import PLACEHOLDERS
from anaphora_nmt.text.tags import Words, insert_tags, transfer_tags
from anaphora_nmt.text.vocabulary import EOS, Shortlist, Vocabulary
from anaphora_nmt.text.word_list import WordList
from anaphora_nmt.types import SearchOptions, SourceTerm
from anaphora_text.tags import SINGLE

_EncodedLine = tuple[tuple[int, ...], ContextLines]
_Key = tuple[_EncodedLine, ...]

_PARTS_AT_ONCE = 4  # maximum number of parts to search together; more only if there are more sources


@dataclass(frozen=True)
class ForcedTargets:
    """Targets [B, T] (ending in </s>, padded) of encoded sources, and the decoder's features at each step."""

    target: Tensor
    features: Features


class Drafter:
    """Turns prepared sources into drafts, and targets into contributions to the memory.

    Attributes:
        model: base model and memories, in evaluation mode.
        searcher: the same model in the native library if available, for drafts and contributions.
        words: words of the target language; None if drafts may contain any words.
    """

    def __init__(
        self,
        model: MemoryAugmentedModel,
        source: Vocabulary,
        target: Vocabulary,
        searcher: MemoryAugmentedModel | None = None,
        words: WordList | None = None,
        shortlist: Shortlist | None = None,
        cached: int = 1,
    ) -> None:
        """Args:
        shortlist: possible target pieces of sources; None if all are possible.
        cached: number of batches of encoded sources to cache.
        """
        self.model = model
        self.searcher = model if searcher is None else searcher
        self.source = source
        self.target = target
        self.words = words
        self._max_cached, self._lock = cached, threading.Lock()  # several threads draft
        self._encoded: dict[_Key, Encoded] = {}
        self._search = PartSearch(self.searcher, source, target, words, shortlist)
        self._piece_texts = dict(enumerate(target.piece_texts()))

    @property
    def context(self) -> CamnConfig | None:
        """The configuration of CAMN, which selects context sentences; None for a model without it."""
        return self.model.context

    def encode(
        self, lines: Sequence[Sequence[int]], contexts: Sequence[ContextLines] | None = None
    ) -> Encoded:
        """Encode sources with marks, and their context sentences. The last batches are cached."""
        contexts = contexts or [()] * len(lines)
        key = tuple((tuple(line), context) for line, context in zip(lines, contexts, strict=True))
        with self._lock:
            encoded = self._encoded.get(key)
        if encoded is None:
            batch = self._context_batch([line for line, _ in key], contexts)
            encoded = self.searcher.encode(self.padded(lines), batch)
        with self._lock:
            self._encoded.pop(key, None)
            self._encoded[key] = encoded  # moves to the end
            while len(self._encoded) > self._max_cached:
                del self._encoded[next(iter(self._encoded))]
        return encoded

    def clear_caches(self) -> None:
        with self._lock:
            self._encoded.clear()

    def encode_whole(self, sources: Sequence[PreparedLine]) -> Encoded:
        return self.encode(
            [self.source.marked(source.ids) for source in sources], [source.context for source in sources]
        )

    def _context_batch(
        self, lines: list[tuple[int, ...]], contexts: Sequence[ContextLines]
    ) -> ContextBatch | None:
        if not any(contexts):
            return None
        wanted = [[None if line is None else line.ids for line in context] for context in contexts]
        return gather_context(lines, wanted, len, self.padded, self.model.device)

    def padded(self, lines: Sequence[Sequence[int]]) -> Tensor:
        return padded(lines, self.model.device)

    @torch.inference_mode()
    def draft(
        self,
        sources: Sequence[PreparedLine],
        snapshots: Sequence[MemorySnapshot],
        options: SearchOptions,
        cancel: Cancel | None = None,
        terms: Sequence[Sequence[SourceTerm]] | None = None,
    ) -> list[Draft]:
        """Translate a batch of sources, each with its own memory and terms.

        Raises:
            Cancelled: see `beam_search`.
        """
        jobs = [
            (number, job)
            for number, source in enumerate(sources)
            for job in self._parts(source, terms[number] if terms else ())
        ]
        results: list[list[PartDrafts]] = [[] for _ in sources]
        contexts = [
            SearchContext(source.context, source.optional_words, source.confirmed_words, snapshot)
            for source, snapshot in zip(sources, snapshots, strict=True)
        ]
        # Only a few parts are searched together, because a step over many parts would delay cancelling.
        size = max(len(sources), _PARTS_AT_ONCE)
        for start in range(0, len(jobs), size):
            batch = jobs[start : start + size]
            owners = [contexts[owner] for owner, _ in batch]
            best = self._translate([job for _, job in batch], owners, options, cancel)
            for (owner, _), translated in zip(batch, best, strict=True):
                results[owner] += self._retry_in_halves(translated, contexts[owner], options, cancel)
        wanted = min(options.n_best, options.beam_size)
        return [self._finish(source, parts, wanted) for source, parts in zip(sources, results, strict=True)]

    def _parts(self, source: PreparedLine, terms: Sequence[SourceTerm]) -> list[Job]:
        parts = chunks(source, self.source)
        placed = place_terms(source, terms, self.source, self.target) if terms else SentenceTerms()
        whole, ids = self.source.marked(source.ids), [part.ids for part in parts]
        carried = carry_terms(placed, whole, ids, self.source)
        return list(zip(parts, carried, strict=True))

    def _retry_in_halves(
        self, tried: PartDrafts, context: SearchContext, options: SearchOptions, cancel: Cancel | None
    ) -> list[PartDrafts]:
        """The translated part `tried`, or its translated halves if these have fewer defects."""
        defects = self._defects(tried)
        pair = halves(tried.part, self.source) if defects and context.retries_left else None
        if pair is None:
            return [tried]
        context.retries_left -= 1
        carried = carry_terms(tried.terms, tried.part.ids, [half.ids for half in pair], self.source)
        jobs = list(zip(pair, carried, strict=True))
        retried: list[PartDrafts] = []
        for half in self._translate(jobs, [context] * 2, options, cancel):
            retried += self._retry_in_halves(half, context, options, cancel)
        return retried if sum(map(self._defects, retried)) < defects else [tried]

    def _defects(self, translated: PartDrafts, rank: int = 0) -> int:
        return count_defects(translated.part, _hypothesis_at(translated, rank), self.target)

    def _translate(
        self,
        jobs: Sequence[Job],
        contexts: Sequence[SearchContext],
        options: SearchOptions,
        cancel: Cancel | None,
    ) -> list[PartDrafts]:
        """Translate parts; one that loses rare Latin words is tried again with placeholders for them."""
        best = self._encode_and_search(jobs, contexts, options, cancel)
        if not self.source.has_placeholders:
            return best
        retries: dict[int, Job] = {}
        for row, (each, context) in enumerate(zip(best, contexts, strict=True)):
            if lost := lost_words(each.part.text, each.text(0, self.target), context.optional_words):
                part = with_words_protected(each.part, lost, self.source)
                (terms,) = carry_terms(each.terms, each.part.ids, [part.ids], self.source)
                retries[row] = part, terms
        if retries:
            owners = [contexts[row] for row in retries]
            second = self._encode_and_search([*retries.values()], owners, options, cancel)
            for row, each in zip(retries, second, strict=True):
                if self._defects(each) <= self._defects(best[row]):
                    best[row] = each
        return best

    def _encode_and_search(
        self,
        jobs: Sequence[Job],
        contexts: Sequence[SearchContext],
        options: SearchOptions,
        cancel: Cancel | None,
    ) -> list[PartDrafts]:
        encoded = self.encode([part.ids for part, _ in jobs], [each.context for each in contexts])
        return self._search.search(Batch(encoded, jobs, contexts), options, cancel)

    @torch.inference_mode()
    def prefix_search(
        self,
        source: PreparedLine,
        snapshot: MemorySnapshot,
        options: SearchOptions,
        terms: Sequence[SourceTerm] = (),
    ) -> PrefixSearch:
        """A search that continues a typed translation of an undivided source."""
        ids, marks = self.source.marked(source.ids), len(self.source.marked(()))
        part = Part(source.line.text, ids, source.line.strings, source.required, marks=marks)
        placed = place_terms(source, terms, self.source, self.target) if terms else SentenceTerms()
        encoded = self.encode_whole([source])
        state = self.searcher.start(encoded, [snapshot], self.model.config.chosen(options.memories))
        context = SearchContext(source.context, source.optional_words, source.confirmed_words, snapshot)
        adjusters = self._search.prefix_adjusters(part, placed, context)
        strings = {
            piece: self.target.piece(piece).replace(mark, string)
            for mark, string, pieces in zip(
                PLACEHOLDERS, source.line.strings, self.target.placeholder_ids, strict=False
            )
            for piece in pieces
        }
        return PrefixSearch(self.searcher, state, adjusters, self._piece_texts | strings)

    def _finish(self, source: PreparedLine, parts: list[PartDrafts], wanted: int) -> Draft:
        parts = self._within_limit(source, parts)

        def text(rank: int) -> str:
            plain = self._plain_text(parts, rank)
            lost = [tag for tag in SINGLE.findall(source.line.plain) if tag not in plain]
            return self._with_tags(source, " ".join((plain, *lost)))

        score = sum(each.hypotheses[0].score for each in parts) / len(parts)
        ranks = range(1, max(len(each.hypotheses) for each in parts))
        best, *others = (text(rank) for rank in (0, *ranks[: wanted - 1]))
        different = tuple(dict.fromkeys(other for other in others if other != best))
        probability = math.exp(
            sum(each.hypotheses[0].log_probability for each in parts)
            / sum(len(each.hypotheses[0].pieces) for each in parts)
        )
        return Draft(
            best,
            score,
            different,
            tuple(self._plain_text(parts, rank) for rank in ranks),
            min(1.0, probability),
        )

    def _plain_text(self, parts: Sequence[PartDrafts], rank: int) -> str:
        return "".join(each.text(rank, self.target) + each.part.separator for each in parts).rstrip()

    def _within_limit(self, source: PreparedLine, parts: list[PartDrafts]) -> list[PartDrafts]:
        """Reorder the hypotheses so that the draft fits in `max_length`, if this adds no defects."""

        def fits(rank: int) -> bool:
            return len(SINGLE.sub("", self._plain_text(parts, rank))) <= source.max_length

        if not source.max_length or fits(0):
            return parts

        def defects(rank: int) -> int:
            return sum(self._defects(each, rank) for each in parts)

        allowed = defects(0)
        for rank in range(1, max(len(each.hypotheses) for each in parts)):
            if fits(rank) and defects(rank) <= allowed:
                return [_with_first(each, rank) for each in parts]
        return parts

    def _with_tags(self, source: PreparedLine, plain: str) -> str:
        if not source.line.tags:
            return plain
        target = prepare_target(plain, source.line.strings, self.target)
        links = self.align(source, target)
        old = Words(source.line.plain, [(word.start, word.end) for word in source.words])
        new = Words(plain, [(word.start, word.end) for word in target.words])
        return insert_tags(plain, transfer_tags(source.line.tags, old, new, links))

    @torch.inference_mode()
    def word_attention(self, source: PreparedLine, target: PreparedLine) -> np.ndarray:
        """The attention of a target's words, [target words, source words]; rows sum to 1, or are 0."""
        if not target.words or not source.words:
            return np.zeros((len(target.words), len(source.words)))
        encoded = self.encode_whole([source])
        features = self.searcher.decode(encoded, self.padded([[*target.ids, EOS]]), attention=True)
        assert features.attention is not None
        attention = features.attention[0].exp().float().cpu().numpy()
        return word_attention(attention[:, len(self.source.before) :], source, target)

    def align(self, source: PreparedLine, target: PreparedLine) -> list[int | None]:
        weights = self.word_attention(source, target)
        return [int(row.argmax()) if row.sum() > 0 else None for row in weights]

    @torch.inference_mode()
    def decode(self, sources: Sequence[PreparedLine], targets: Sequence[PreparedLine]) -> ForcedTargets:
        encoded = self.encode_whole(sources)
        ids = self.padded([[*target.ids, EOS] for target in targets])
        return ForcedTargets(ids, self.searcher.decode(encoded, ids, attention=True))

    @torch.inference_mode()
    def contributions(
        self, sources: Sequence[PreparedLine], targets: Sequence[PreparedLine], origin: Origin | None = None
    ) -> list[Contribution]:
        encoded = self.encode_whole(sources)
        ids = self.padded([[*target.ids, EOS] for target in targets])
        return self.searcher.contributions(encoded, ids, origin)


def _hypothesis_at(translated: PartDrafts, rank: int) -> Hypothesis:
    return translated.hypotheses[min(rank, len(translated.hypotheses) - 1)]


def _with_first(translated: PartDrafts, rank: int) -> PartDrafts:
    first = _hypothesis_at(translated, rank)
    rest = [each for each in translated.hypotheses if each is not first]
    return replace(translated, hypotheses=[first, *rest])


def count_defects(part: Part, hypothesis: Hypothesis, target: Vocabulary) -> int:
    """Number of lost placeholders, plus 1 if a hypothesis repeats itself, has no end, or is wrongly empty."""
    lost = sum(
        max(0, count - sum(piece in target.placeholder_ids[mark] for piece in hypothesis.pieces))
        for mark, count in enumerate(part.required)
        if count
    )
    text = target.decode(hypothesis.pieces)
    has_words = len(part.ids) > part.marks
    broken = has_loop(text) or hypothesis.pieces[-1:] != (EOS,) or (has_words and not text.strip())
    return lost + broken


def word_attention(attention: np.ndarray, source: PreparedLine, target: PreparedLine) -> np.ndarray:
    """Convert the attention of pieces [T, S], without marks, to words [target words, source words]."""
    columns = np.zeros((attention.shape[1], len(source.words)))
    for number, word in enumerate(source.words):
        columns[slice(*word.pieces), number] = 1.0
    rows = np.stack([attention[word.pieces[0] : word.pieces[1]].mean(0) for word in target.words])
    weights = rows @ columns
    return weights / np.maximum(weights.sum(1, keepdims=True), 1e-9)
