"""From prepared sources to target texts: search, protected strings back, tags back."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.config import CamnConfig
from anaphora_nmt.memory.contents import Contribution, MemorySnapshot, Origin
from anaphora_nmt.memory.document_context import ContextBatch, SourceGroup, gather_context
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.pipeline.lines import (
    ContextLine,
    Part,
    PreparedLine,
    chunks,
    halves,
    prepare_target,
    with_words_protected,
)
from anaphora_nmt.pipeline.terms import carry_terms, place_terms
from anaphora_nmt.search.beam import BeamOptions, Hypothesis, beam_search
from anaphora_nmt.search.constraints import Constraints, PieceTable
from anaphora_nmt.search.coverage import coverage, ranked_by_coverage
from anaphora_nmt.search.known_words import KnownWords, SpelledPieces
from anaphora_nmt.search.prefix import PrefixGuides, PrefixSearch, WrittenPieces
from anaphora_nmt.search.sentence_terms import PieceKinds, SentenceTerms, TermOptions
from anaphora_nmt.search.terms import TermGuide
from anaphora_nmt.text.latin_words import all_latin_words, lost_words
from anaphora_nmt.text.loops import has_loop
from anaphora_nmt.text.protect import PLACEHOLDERS, restore
from anaphora_nmt.text.tags import SINGLE, insert_tags, transfer_tags
from anaphora_nmt.text.vocabulary import EOS, PAD, Vocabulary
from anaphora_nmt.text.word_list import WordList, letter_words
from anaphora_nmt.types import SearchOptions, SourceTerm

_Context = tuple[ContextLine | None, ...]
_EncodedLine = tuple[tuple[int, ...], _Context]

_PARTS_AT_ONCE = 4
_UNMET_PENALTY, _GREEDY_PENALTY = 12.0, 6.0  # see `Constraints`
_TERMS, _GREEDY_TERMS = TermOptions(), TermOptions(look=0.5, below=-0.01)
_FIRM_TERMS = TermOptions(look=0.2, below=-2.0, unmet=20.0, waits=False)  # where a search has left a term out
_SECOND_TRIES = 7  # a part, its halves and their halves; more would try a reader's patience with long sources


@dataclass(frozen=True, slots=True)
class Draft:
    """A target text.

    Attributes:
        score: what ranked it.
        alternatives: the other n-best.
        others: all others that the search finished, without tags.
        probability: of its pieces, as the search had them, the geometric mean.
    """

    text: str
    score: float
    alternatives: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    probability: float = 1.0


@dataclass(slots=True)
class _Surroundings:
    """What a source is translated in: its context sentences, the memory before it, and some patience.

    Attributes:
        rewritten, written: see `PreparedLine`.
        second_tries: how many more of its parts may be translated again in halves.
    """

    context: _Context
    rewritten: frozenset[str]
    written: WordList
    snapshot: MemorySnapshot
    second_tries: int = _SECOND_TRIES


@dataclass(frozen=True, slots=True)
class _Translated:
    """A part with its terms and its n best translations."""

    part: Part
    terms: SentenceTerms
    hypotheses: list[Hypothesis]

    def lacking(self, kinds: PieceKinds) -> int:
        """How many of the terms the best one lacks."""
        if not self.terms.places:
            return 0
        return TermGuide([self.terms], kinds, TermOptions()).lacking(0, self.hypotheses[0].pieces)

    def text(self, rank: int, target: Vocabulary) -> str:
        """The `rank`th best, or the last there is."""
        best = self.hypotheses[min(rank, len(self.hypotheses) - 1)]
        return restore(target.decode(best.pieces), self.part.strings)


class Drafter:
    """Turns prepared sources into drafts and targets into contributions.

    Attributes:
        model: base model and memories, in evaluation mode.
        searcher: the model that search steps with, see `with_int8_decoder`.
        source, target: vocabularies.
        words: of the target language; None: any word may be written.
    """

    def __init__(
        self,
        model: MemoryAugmentedModel,
        source: Vocabulary,
        target: Vocabulary,
        searcher: MemoryAugmentedModel | None = None,
        words: WordList | None = None,
    ) -> None:
        """Args: `searcher` None: the model itself."""
        self.model = model
        self.searcher = model if searcher is None else searcher
        self.source = source
        self.target = target
        self.words = words
        self._spelled = SpelledPieces.of(map(target.piece, range(len(target))))
        self._encoded: tuple[tuple[_EncodedLine, ...], Encoded] | None = None
        self._table = PieceTable.of(target.placeholder_ids, target.begin_letters(), model.device)
        self._kinds = PieceKinds.of(map(target.piece, range(len(target))))
        self._written = WrittenPieces(target.written())

    @property
    def context(self) -> CamnConfig | None:
        """How the model's context sentences are chosen; None for a model without CAMN."""
        camn = self.model.base.camn
        return None if camn is None else camn.config

    def encode(self, lines: Sequence[Sequence[int]], contexts: Sequence[_Context] | None = None) -> Encoded:
        """Encode sources given with marks. The last batch is kept: its contributions want it again.

        Args:
            contexts: the context sentences of each source.
        """
        contexts = contexts or [()] * len(lines)
        key = tuple((tuple(line), context) for line, context in zip(lines, contexts, strict=True))
        if self._encoded is None or self._encoded[0] != key:
            batch = self._context_batch([line for line, _ in key], contexts)
            self._encoded = key, self.model.base.encode(self.padded(lines), batch)
        return self._encoded[1]

    def encode_whole(self, sources: Sequence[PreparedLine]) -> Encoded:
        """Encode sources undivided, for forced decoding."""
        return self.encode(
            [self.source.marked(source.ids) for source in sources], [source.context for source in sources]
        )

    def _context_batch(
        self, lines: list[tuple[int, ...]], contexts: Sequence[_Context]
    ) -> ContextBatch | None:
        if not any(contexts):
            return None
        wanted = [[None if line is None else line.ids for line in context] for context in contexts]
        return gather_context(
            lines, wanted, len, lambda texts: SourceGroup(self.padded(texts)), self.model.device
        )

    def padded(self, lines: Sequence[Sequence[int]]) -> Tensor:
        """Rows of ids as a tensor on the model's device."""
        ids = np.full((len(lines), max(len(line) for line in lines)), PAD, np.int64)
        for row, line in enumerate(lines):
            ids[row, : len(line)] = line
        return torch.from_numpy(ids).to(self.model.device)

    @torch.inference_mode()
    def draft(
        self,
        sources: Sequence[PreparedLine],
        snapshots: Sequence[MemorySnapshot],
        options: SearchOptions,
        cancel: Callable[[], bool] | None = None,
        terms: Sequence[Sequence[SourceTerm]] | None = None,
    ) -> list[Draft]:
        """Translate a batch, each source with its own memory.

        Args:
            terms: of each source, what its draft is to call them.
        Raises:
            Cancelled: see `beam_search`.
        """
        jobs = [
            (number, part, placed)
            for number, source in enumerate(sources)
            for part, placed in self._parts(source, terms[number] if terms else ())
        ]
        found: list[list[_Translated]] = [[] for _ in sources]
        around = [
            _Surroundings(source.context, source.rewritten, source.written, snapshot)
            for source, snapshot in zip(sources, snapshots, strict=True)
        ]
        # A few at a time: a step over many parts would outlast a reader's patience with "cancel".
        size = max(len(sources), _PARTS_AT_ONCE)
        for start in range(0, len(jobs), size):
            some = jobs[start : start + size]
            owners = [around[owner] for owner, _, _ in some]
            best = self._translated([(part, placed) for _, part, placed in some], owners, options, cancel)
            for (owner, _, _), translated in zip(some, best, strict=True):
                found[owner] += self._retried_in_halves(translated, around[owner], options, cancel)
        wanted = min(options.n_best, options.beam_size)
        return [self._finish(source, parts, wanted) for source, parts in zip(sources, found, strict=True)]

    def _parts(self, source: PreparedLine, terms: Sequence[SourceTerm]) -> list[tuple[Part, SentenceTerms]]:
        """The parts of a source with their terms."""
        parts = chunks(source, self.source)
        placed = place_terms(source, terms, self.source, self.target) if terms else SentenceTerms()
        whole, ids = self.source.marked(source.ids), [part.ids for part in parts]
        carried = carry_terms(placed, whole, ids, self.source)
        return list(zip(parts, carried, strict=True))

    def _retried_in_halves(
        self,
        whole: _Translated,
        around: _Surroundings,
        options: SearchOptions,
        cancel: Callable[[], bool] | None,
    ) -> list[_Translated]:
        """A translated part, or its halves where these have fewer defects."""
        wrong = count_defects(whole.part, whole.hypotheses[0], self.target)
        pair = halves(whole.part, self.source) if wrong and around.second_tries else None
        if pair is None:
            return [whole]
        around.second_tries -= 1
        carried = carry_terms(whole.terms, whole.part.ids, [half.ids for half in pair], self.source)
        jobs = list(zip(pair, carried, strict=True))
        retried: list[_Translated] = []
        for half in self._translated(jobs, [around] * 2, options, cancel):
            retried += self._retried_in_halves(half, around, options, cancel)
        left = sum(count_defects(each.part, each.hypotheses[0], self.target) for each in retried)
        return retried if left < wrong else [whole]

    def _translated(
        self,
        jobs: Sequence[tuple[Part, SentenceTerms]],
        around: Sequence[_Surroundings],
        options: SearchOptions,
        cancel: Callable[[], bool] | None,
    ) -> list[_Translated]:
        """The n best translations of some parts.

        Where one loses Latin words of its source (`text/latin_words.py`), which the model misspells where it
        knows them badly, the part is translated again with these words as placeholders, if it knows any.
        """
        found = self._encoded_and_searched(jobs, around, options, cancel)
        if not self.source.has_placeholders:
            return found
        lost = [
            lost_words(each.part.text, each.text(0, self.target), surroundings.rewritten)
            for each, surroundings in zip(found, around, strict=True)
        ]
        rows = [row for row, words in enumerate(lost) if words]
        if not rows:
            return found
        again = []
        for row in rows:
            part = with_words_protected(found[row].part, lost[row], self.source)
            (terms,) = carry_terms(found[row].terms, found[row].part.ids, [part.ids], self.source)
            again.append((part, terms))
        second = self._encoded_and_searched(again, [around[row] for row in rows], options, cancel)
        for row, each in zip(rows, second, strict=True):
            before, after = (
                count_defects(one.part, one.hypotheses[0], self.target) for one in (found[row], each)
            )
            if after <= before:
                found[row] = each
        return found

    def _encoded_and_searched(
        self,
        jobs: Sequence[tuple[Part, SentenceTerms]],
        around: Sequence[_Surroundings],
        options: SearchOptions,
        cancel: Callable[[], bool] | None,
    ) -> list[_Translated]:
        encoded = self.encode([part.ids for part, _ in jobs], [each.context for each in around])
        return self._search(encoded, jobs, around, options, cancel)

    def _search(
        self,
        encoded: Encoded,
        jobs: Sequence[tuple[Part, SentenceTerms]],
        around: Sequence[_Surroundings],
        options: SearchOptions,
        cancel: Callable[[], bool] | None,
    ) -> list[_Translated]:
        """The n best translations of some parts; where one lacks a term, it is searched for once more."""
        options_of_terms = _GREEDY_TERMS if options.beam_size == 1 else _TERMS
        found = self._search_once(encoded, jobs, around, options, cancel, options_of_terms)
        lacking = [each.lacking(self._kinds) for each in found]
        rows = [row for row, count in enumerate(lacking) if count]
        if rows:
            longest = max(len(jobs[row][0].ids) for row in rows)
            whole = encoded.select(torch.tensor(rows, device=self.model.device))
            chosen = Encoded(whole.states[:, :longest], whole.mask[:, :longest])
            some = [jobs[row] for row in rows], [around[row] for row in rows]
            again = self._search_once(chosen, *some, options, cancel, _FIRM_TERMS)
            for row, second in zip(rows, again, strict=True):
                if second.lacking(self._kinds) < lacking[row] and not has_loop(second.text(0, self.target)):
                    found[row] = second
        return found

    def _search_once(
        self,
        encoded: Encoded,
        jobs: Sequence[tuple[Part, SentenceTerms]],
        around: Sequence[_Surroundings],
        options: SearchOptions,
        cancel: Callable[[], bool] | None,
        term_options: TermOptions,
    ) -> list[_Translated]:
        parts, terms = [part for part, _ in jobs], [placed for _, placed in jobs]
        use = self.model.config.chosen(options.memories)
        state = self.searcher.start(encoded, [each.snapshot for each in around], use)
        limits = [int(options.max_length_ratio * len(part.ids)) + 10 for part in parts]
        greedy = options.beam_size == 1
        ranks = options.coverage > 0 and not greedy
        best = options.beam_size if ranks else min(options.n_best, options.beam_size)
        beam = BeamOptions(options.beam_size, options.length_penalty, best, sees=ranks)
        required = [part.required for part in parts]
        constraints = Constraints(
            self._table, _GREEDY_PENALTY if greedy else _UNMET_PENALTY, 0.0 if greedy else options.repetition
        )
        guide = None
        if any(placed.places or placed.forbidden for placed in terms):
            guide = TermGuide(terms, self._kinds, term_options)
        known = self._known_words(jobs, around)
        found = beam_search(self.searcher, state, limits, beam, constraints, required, cancel, guide, known)
        if ranks:
            found = self._ranked(parts, found, options.coverage)
        return [_Translated(*job, hypotheses) for job, hypotheses in zip(jobs, found, strict=True)]

    @torch.inference_mode()
    def prefix_search(
        self,
        source: PreparedLine,
        snapshot: MemorySnapshot,
        options: SearchOptions,
        terms: Sequence[SourceTerm] = (),
    ) -> PrefixSearch:
        """A search that goes on from what a human has typed as the translation of an undivided source."""
        ids, marks = self.source.marked(source.ids), len(self.source.marked(()))
        part = Part(source.line.text, ids, source.line.strings, source.required, marks=marks)
        placed = place_terms(source, terms, self.source, self.target) if terms else SentenceTerms()
        encoded = self.encode_whole([source])
        state = self.searcher.start(encoded, [snapshot], self.model.config.chosen(options.memories))
        guide = None
        if placed.places or placed.forbidden:
            guide = TermGuide([placed], self._kinds, _GREEDY_TERMS)
        around = _Surroundings(source.context, source.rewritten, source.written, snapshot)
        constraints = Constraints(self._table, _GREEDY_PENALTY)
        known = self._known_words([(part, placed)], [around])
        guides = PrefixGuides(constraints, source.required, guide, known)
        strings = {
            piece: self.target.piece(piece).replace(mark, string)
            for mark, string, pieces in zip(
                PLACEHOLDERS, source.line.strings, self.target.placeholder_ids, strict=False
            )
            for piece in pieces
        }
        return PrefixSearch(self.searcher, state, guides, self._written, strings)

    def _known_words(
        self, jobs: Sequence[tuple[Part, SentenceTerms]], around: Sequence[_Surroundings]
    ) -> KnownWords | None:
        """The words that translations of some parts may write without being charged for it."""
        if self.words is None:
            return None
        lists = []
        for (part, terms), each in zip(jobs, around, strict=True):
            forms = [self.target.decode(form) for sequences in terms.forms for form in sequences]
            own = all_latin_words(part.text).union(*map(letter_words, forms))
            lists.append((self.words, each.written, WordList.of(own)))
        return KnownWords(self._spelled, lists)

    def _ranked(
        self, parts: Sequence[Part], found: list[list[Hypothesis]], weight: float
    ) -> list[list[Hypothesis]]:
        """The parts' hypotheses, ranked by what they leave of the source too."""
        owners = [number for number, hypotheses in enumerate(found) for _ in hypotheses]
        seen = [hypothesis.seen for hypotheses in found for hypothesis in hypotheses]
        source = self.padded([part.ids for part in parts])[owners]
        marks = torch.tensor([PAD, *self.source.before, *self.source.after], device=source.device)
        rows = torch.stack([each for each in seen if each is not None]).float()
        each = iter(coverage(rows, ~torch.isin(source, marks)).tolist())
        return [
            ranked_by_coverage(hypotheses, [next(each) for _ in hypotheses], weight) for hypotheses in found
        ]

    def _finish(self, source: PreparedLine, parts: list[_Translated], wanted: int) -> Draft:
        def plain_text(rank: int) -> str:
            return "".join(each.text(rank, self.target) + each.part.separator for each in parts).rstrip()

        def text(rank: int) -> str:
            plain = plain_text(rank)
            lost = [tag for tag in SINGLE.findall(source.line.plain) if tag not in plain]
            return self._with_tags(source, " ".join((plain, *lost)))

        score = sum(each.hypotheses[0].score for each in parts) / len(parts)
        ranks = range(1, max(len(each.hypotheses) for each in parts))
        alternatives = [text(rank) for rank in ranks[: wanted - 1]]
        best = text(0)
        different = tuple(dict.fromkeys(other for other in alternatives if other != best))
        probability = math.exp(
            sum(each.hypotheses[0].log_probability for each in parts)
            / sum(len(each.hypotheses[0].pieces) for each in parts)
        )
        return Draft(best, score, different, tuple(map(plain_text, ranks)), min(1.0, probability))

    def _with_tags(self, source: PreparedLine, plain: str) -> str:
        if not source.line.tags:
            return plain
        target = prepare_target(plain, source.line.strings, self.target)
        links = self.align(source, target)
        spans = [(word.start, word.end) for word in target.words]
        source_spans = [(word.start, word.end) for word in source.words]
        return insert_tags(plain, transfer_tags(source.line.tags, source_spans, spans, links, len(plain)))

    @torch.inference_mode()
    def align(self, source: PreparedLine, target: PreparedLine) -> list[int | None]:
        """For each target word the source word that it attends to most."""
        if not target.words or not source.words:
            return [None] * len(target.words)
        encoded = self.encode_whole([source])
        features = self.model.base.force_decode(encoded, self.padded([[*target.ids, EOS]]), attention=True)
        assert features.attention is not None
        attention = features.attention[0].exp().float().cpu().numpy()
        weights = word_attention(attention[:, len(self.source.before) :], source, target)
        return [int(row.argmax()) if row.sum() > 0 else None for row in weights]

    @torch.inference_mode()
    def contributions(
        self,
        sources: Sequence[PreparedLine],
        targets: Sequence[PreparedLine],
        origin: Origin | None = None,
    ) -> list[Contribution]:
        """What the targets, of an origin or (None) of any, write to the memory (forced decoding), batched."""
        encoded = self.encode_whole(sources)
        ids = self.padded([[*target.ids, EOS] for target in targets])
        return self.model.contributions(encoded, ids, origin)


def count_defects(part: Part, hypothesis: Hypothesis, target: Vocabulary) -> int:
    """Defects of a hypothesis: lost placeholders; endless repetition, no end, or nothing.

    A search that may not leave a constraint unmet can go on without end, so both are looked for.
    """
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
    """Attention of pieces [T, S] → of words [target words, source words], rows sum to one.

    S begins with the source's first piece, after the marks in front. A word's row is the mean of its
    pieces' rows; weights on the marks behind are left out.
    """
    columns = np.zeros((attention.shape[1], len(source.words)))
    for number, word in enumerate(source.words):
        columns[slice(*word.pieces), number] = 1.0
    rows = np.stack([attention[word.pieces[0] : word.pieces[1]].mean(0) for word in target.words])
    weights = rows @ columns
    return weights / np.maximum(weights.sum(1, keepdims=True), 1e-9)
