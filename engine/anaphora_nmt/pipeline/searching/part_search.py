"""The translation of encoded parts of sources: searches with constraints, and the substitution of terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.errors import Cancel
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.fusion import target_log_probs
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.pipeline.preparing.lines import ContextLine, Part
from anaphora_nmt.pipeline.searching.term_substitution import (
    Substitution,
    UnspacedWords,
    columns_by_loss,
    inflected_like,
    substitute_terms,
)
from anaphora_nmt.search.beam import (
    BeamOptions,
    Hypothesis,
    beam_search,
    coverage,
    length_norm,
    rank_by_coverage,
)
from anaphora_nmt.search.constraints import Adjusters, Constraints, PieceTable, ScoreAdjuster
from anaphora_nmt.search.out_of_vocabulary import OutOfVocabularyPenalty, SpelledPieces
from anaphora_nmt.search.sentence_terms import PieceKinds, SentenceTerms, TermOptions
from anaphora_nmt.search.terms import TermGuide
from anaphora_nmt.text.latin_words import all_latin_words
from anaphora_nmt.text.loops import has_loop
from anaphora_nmt.text.protect import restored_sentence, with_days_on, with_spaced_names
from anaphora_nmt.text.vocabulary import EOS, PAD, Shortlist, Vocabulary
from anaphora_nmt.text.word_list import WordList, letter_words
from anaphora_nmt.types import SearchOptions

ContextLines = tuple[ContextLine | None, ...]
Job = tuple[Part, SentenceTerms]

_UNMET_PENALTY, _GREEDY_PENALTY = 12.0, 6.0  # see `Constraints`
_TERMS, _GREEDY_TERMS = TermOptions(), TermOptions(min_attention=0.5, distance=-0.01)
_FIRM_TERMS = TermOptions(min_attention=0.2, distance=-2.0, unmet_penalty=20.0, waits=False)
_MAX_RETRIES = 7  # for example a part, its halves and their halves; more would take too long
_MAX_LATER_CANDIDATES = 2  # maximum number of substitutions to try in each draft except the best
_FORM_PENALTY = 4.0  # in nats, for each form that does not have the inflection of the replaced word


@dataclass(slots=True)
class SearchContext:
    """Data that all parts of a source share; for the first three attributes see `PreparedLine`.

    Attributes:
        snapshot: the memory before the source.
        retries_left: number of parts that may still be translated again in halves.
    """

    context: ContextLines
    optional_words: frozenset[str]
    confirmed_words: WordList
    snapshot: MemorySnapshot
    retries_left: int = _MAX_RETRIES


@dataclass(frozen=True, slots=True)
class PartDrafts:
    """A part of a source, its terms, and hypotheses of its translation, best first."""

    part: Part
    terms: SentenceTerms
    hypotheses: list[Hypothesis]

    def text(self, rank: int, target: Vocabulary) -> str:
        """The text of the hypothesis with a rank (0 is the best), or of the last one if there are fewer."""
        hypothesis = self.hypotheses[min(rank, len(self.hypotheses) - 1)]
        strings = self.part.strings
        text = with_spaced_names(target.decode(hypothesis.pieces), strings, self.part.text)
        return restored_sentence(with_days_on(text, strings), strings)


@dataclass(frozen=True, slots=True)
class Batch:
    encoded: Encoded
    jobs: Sequence[Job]
    contexts: Sequence[SearchContext]

    def only(self, rows: Sequence[int]) -> Batch:
        jobs = [self.jobs[row] for row in rows]
        longest = max(len(part.ids) for part, _ in jobs)
        selected = self.encoded.select(torch.tensor(rows, device=self.encoded.states.device))
        encoded = Encoded(selected.states[:, :longest], selected.mask[:, :longest])
        return Batch(encoded, jobs, [self.contexts[row] for row in rows])


class PartSearch:
    """Translates encoded parts.

    Args:
        words: words of the target language, for `OutOfVocabularyPenalty`; None for no penalty.
        shortlist: possible target pieces of sources; None if all pieces are possible.
    """

    def __init__(
        self,
        model: MemoryAugmentedModel,
        source: Vocabulary,
        target: Vocabulary,
        words: WordList | None,
        shortlist: Shortlist | None = None,
    ) -> None:
        self._shortlist = shortlist
        self._model = model
        self._source = source
        self._target = target
        self._words = words
        self._spelled = SpelledPieces.of(target.pieces)
        self._table = PieceTable.of(target.placeholder_ids, target.begin_words())
        self._piece_texts = target.piece_texts()

    @cached_property
    def _kinds(self) -> PieceKinds:
        return PieceKinds.of(self._target.pieces)

    def prefix_adjusters(self, part: Part, terms: SentenceTerms, context: SearchContext) -> Adjusters:
        return self._adjusters([(part, terms)], [context], True, 0.0, _GREEDY_TERMS)

    def search(self, batch: Batch, options: SearchOptions, cancel: Cancel | None) -> list[PartDrafts]:
        """Translate some parts, with up to `n_best` hypotheses of each (`beam_size` if ranked by coverage).

        If a part has required terms, the first search ignores its terms and forbidden texts. If the result
        misses an occurrence of a term or has a forbidden text, forms of the terms replace the model's own
        words (`term_substitution.py`). If that fails, a second search enforces the terms.
        """
        jobs_without_terms = [
            (part, replace(terms, places=(), forbidden=()) if terms.places else terms)
            for part, terms in batch.jobs
        ]
        drafts = self._search_once(replace(batch, jobs=jobs_without_terms), options, cancel, _TERMS)
        drafts = [replace(each, terms=terms) for each, (_, terms) in zip(drafts, batch.jobs, strict=True)]
        rows = []
        for row, each in enumerate(drafts):
            guide, pieces = self._guide(each.terms), each.hypotheses[0].pieces
            if guide is not None and (guide.count_unrendered(0, pieces) or each.terms.forbids(pieces)):
                substituted = self._substitute_terms(batch.only([row]), each, guide, options)
                if substituted is None:
                    rows.append(row)
                else:
                    drafts[row] = substituted
        if rows:
            enforced = self._enforce_terms(batch.only(rows), options, cancel)
            for row, each in zip(rows, enforced, strict=True):
                drafts[row] = each
        return drafts

    def _guide(self, terms: SentenceTerms) -> TermGuide | None:
        return TermGuide([terms], self._kinds, TermOptions()) if terms.places else None

    def _substitute_terms(
        self, batch: Batch, part_drafts: PartDrafts, guide: TermGuide, options: SearchOptions
    ) -> PartDrafts | None:
        """Substitute the most likely forms of terms in drafts; None if this fails for the best draft."""
        drafts = [each.pieces for each in part_drafts.hypotheses if each.pieces[-1:] == (EOS,)]
        if not drafts or drafts[0] != part_drafts.hypotheses[0].pieces:
            return None
        attended = self._attended_columns(batch.encoded, part_drafts.part, drafts)
        if attended is None:
            return None
        candidates: list[tuple[int, Substitution]] = []
        for rank, (pieces, columns) in enumerate(zip(drafts, attended, strict=True)):
            fitting = [
                (rank, each)
                for each in self._substitutions(batch.encoded, part_drafts.terms, pieces, columns)
                if not guide.count_unrendered(0, each.pieces) and not part_drafts.terms.forbids(each.pieces)
            ]
            candidates += fitting[: _MAX_LATER_CANDIDATES if options.n_best > 1 else 1] if rank else fitting
            if not candidates:
                return None
        memories = self._model.config.chosen(options.memories)
        count, snapshot = len(candidates), batch.contexts[0].snapshot
        targets = self._padded([each.pieces for _, each in candidates])
        forced = self._model.force_decode(batch.encoded.repeat(count), targets, [snapshot] * count, memories)
        totals = forced.target_log_probs.sum(1).tolist()
        likeliest: dict[int, Hypothesis] = {}
        for (rank, each), total in zip(candidates, totals, strict=True):
            total -= _FORM_PENALTY * each.changed_inflections
            if rank not in likeliest or total > likeliest[rank].log_probability:
                score = total / length_norm(len(each.pieces), options.length_penalty)
                likeliest[rank] = Hypothesis(each.pieces, total, score)
        return replace(part_drafts, hypotheses=[likeliest[rank] for rank in sorted(likeliest)])

    def _substitutions(
        self, encoded: Encoded, terms: SentenceTerms, pieces: tuple[int, ...], attended: Sequence[int]
    ) -> list[Substitution]:
        unspaced = UnspacedWords.of([self._piece_texts[piece] for piece in pieces])
        settings = terms, self._kinds, unspaced, self._select_inflected
        if results := substitute_terms(pieces, attended, *settings):
            return results
        losses = self._losses(encoded, pieces, terms)
        columns = columns_by_loss(pieces, losses, terms, self._kinds, unspaced.inner)
        return substitute_terms(pieces, columns, *settings)

    def _select_inflected(self, word: tuple[int, ...], forms: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        texts = {form: self._target.decode(form) for form in forms}
        kept = inflected_like(self._target.decode(word), list(texts.values()), self._words)
        return [form for form in forms if texts[form] in kept]

    def _losses(self, encoded: Encoded, pieces: tuple[int, ...], terms: SentenceTerms) -> list[list[float]]:
        """For each place of a term, log p of each piece minus log p without the place; no memory is read."""
        mask = encoded.mask.repeat(len(terms.places) + 1, 1)
        for row, place in enumerate(terms.places, 1):
            mask[row, list(place.columns)] = False
        targets = self._padded([pieces] * len(mask))
        rows = Encoded(encoded.states.expand(len(mask), -1, -1), mask)
        features = self._model.decode(rows, targets)
        log_probs = target_log_probs(self._model.log_probs_after(features, ()), targets)
        return (log_probs[:1] - log_probs[1:]).tolist()  # type: ignore[no-any-return]

    def _attended_columns(
        self, encoded: Encoded, part: Part, drafts: Sequence[tuple[int, ...]]
    ) -> list[list[int]] | None:
        rows = encoded.repeat(len(drafts))
        attention = self._model.decode(rows, self._padded(drafts), attention=True).attention
        if attention is None:
            return None
        first, last = len(self._source.before), len(part.ids) - len(self._source.after)
        first += self._source.piece(part.ids[first]) == "▁" and first + 1 < last
        strongest = (attention[:, :, first:last].argmax(-1) + first).tolist()
        return [columns[: len(pieces)] for columns, pieces in zip(strongest, drafts, strict=True)]

    def _enforce_terms(self, batch: Batch, options: SearchOptions, cancel: Cancel | None) -> list[PartDrafts]:
        options_of_terms = _GREEDY_TERMS if options.beam_size == 1 else _TERMS
        drafts = self._search_once(batch, options, cancel, options_of_terms)
        missing = [self._count_missing(each) for each in drafts]
        rows = [row for row, count in enumerate(missing) if count]
        if rows:
            retries = self._search_once(batch.only(rows), options, cancel, _FIRM_TERMS)
            for row, second in zip(rows, retries, strict=True):
                if self._count_missing(second) < missing[row] and not has_loop(second.text(0, self._target)):
                    drafts[row] = second
        return drafts

    def _count_missing(self, translated: PartDrafts) -> int:
        guide = self._guide(translated.terms)
        return guide.count_missing_terms(0, translated.hypotheses[0].pieces) if guide is not None else 0

    def _search_once(
        self, batch: Batch, options: SearchOptions, cancel: Cancel | None, term_options: TermOptions
    ) -> list[PartDrafts]:
        jobs, contexts = batch.jobs, batch.contexts
        shortlist = self._shortlist if options.shortlist else None
        if shortlist is not None and len(jobs) > 1:  # each part has its own shortlist
            single = [batch.only([row]) for row in range(len(jobs))]
            return [self._search_once(each, options, cancel, term_options)[0] for each in single]
        parts = [part for part, _ in jobs]
        memories = self._model.config.chosen(options.memories)
        allowed = None if shortlist is None else self._allowed_pieces(shortlist, *jobs[0])
        state = self._model.start(batch.encoded, [each.snapshot for each in contexts], memories, allowed)
        limits = [int(options.max_length_ratio * len(part.ids)) + 10 for part in parts]
        greedy = options.beam_size == 1
        is_ranked = options.coverage > 0 and not greedy
        n_best = options.beam_size if is_ranked else min(options.n_best, options.beam_size)
        beam = BeamOptions(options.beam_size, options.length_penalty, n_best, with_attention=is_ranked)
        repetition = 0.0 if greedy else options.repetition
        adjusters = self._adjusters(jobs, batch.contexts, greedy, repetition, term_options)
        results = beam_search(self._model, state, limits, beam, adjusters, cancel)
        if is_ranked:
            results = self._rank(parts, results, options.coverage)
        return [PartDrafts(*job, hypotheses) for job, hypotheses in zip(jobs, results, strict=True)]

    def _allowed_pieces(self, shortlist: Shortlist, part: Part, terms: SentenceTerms) -> Tensor:
        of_terms = {piece for forms in terms.forms for form in forms for piece in form}
        pieces = torch.from_numpy(shortlist.of(part.ids)).to(self._model.device)
        return torch.cat((pieces, pieces.new_tensor(sorted(of_terms))))

    def _adjusters(
        self,
        jobs: Sequence[Job],
        contexts: Sequence[SearchContext],
        greedy: bool,
        repetition: float,
        term_options: TermOptions,
    ) -> Adjusters:
        unmet = _GREEDY_PENALTY if greedy else _UNMET_PENALTY
        constraints = Constraints(self._table, [part.required for part, _ in jobs], unmet, repetition)
        adjusters: list[ScoreAdjuster[Any]] = [constraints]
        terms = [terms_of_part for _, terms_of_part in jobs]
        if any(each.places or each.forbidden for each in terms):
            adjusters.append(TermGuide(terms, self._kinds, term_options))
        if self._words is not None:
            lists = []
            for (part, terms_of_part), context in zip(jobs, contexts, strict=True):
                forms = [self._target.decode(form) for sequences in terms_of_part.forms for form in sequences]
                allowed = all_latin_words(part.text).union(*map(letter_words, forms))
                lists.append((self._words, context.confirmed_words, WordList.of(allowed)))
            adjusters.append(OutOfVocabularyPenalty(self._spelled, lists))
        return adjusters

    def _rank(
        self, parts: Sequence[Part], results: list[list[Hypothesis]], weight: float
    ) -> list[list[Hypothesis]]:
        owners = [number for number, each in enumerate(results) for _ in each]
        seen = [hypothesis.seen for each in results for hypothesis in each]
        source = self._padded([part.ids for part in parts])[owners]
        marks = torch.tensor([PAD, *self._source.before, *self._source.after], device=source.device)
        rows = torch.stack([each for each in seen if each is not None]).float()
        values = iter(coverage(rows, ~torch.isin(source, marks)).tolist())
        return [rank_by_coverage(each, [next(values) for _ in each], weight) for each in results]

    def _padded(self, lines: Sequence[Sequence[int]]) -> Tensor:
        return padded(lines, self._model.device)


def padded(lines: Sequence[Sequence[int]], device: torch.device) -> Tensor:
    """Rows of ids as a padded tensor [N, T] on a device."""
    ids = np.full((len(lines), max(len(line) for line in lines)), PAD, np.int64)
    for row, line in enumerate(lines):
        ids[row, : len(line)] = line
    return torch.from_numpy(ids).to(device)
