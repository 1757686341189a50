"""The quality of finished drafts, estimated from their forced decoding."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np
import torch

from anaphora_nmt.memory.contents import Contribution, MemorySnapshot, Origin
from anaphora_nmt.memory.fusion import target_log_probs
from anaphora_nmt.memory.registry import registered
from anaphora_nmt.pipeline.opened.drafts import Draft
from anaphora_nmt.pipeline.preparing.lines import CLAUSE_NUMBER, PreparedLine, raw_span
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_nmt.quality.estimator import QualityEstimator
from anaphora_nmt.quality.evidence import Evidence, EvidenceWord
from anaphora_nmt.text.vocabulary import PAD
from anaphora_nmt.types import DraftQuality, SourceTerm, WordQuality

_DOUBTFUL_PROBABILITY = 0.45
"""A draft with a lower mean probability is doubtful if the model has no estimator."""


@dataclass(frozen=True, slots=True)
class DraftPair:
    """A draft to judge.

    Attributes:
        target: the draft, prepared with the source's protected strings.
        memory: the memory that the draft was made with.
        others: texts of the search's other hypotheses, without tags.
    """

    source: PreparedLine
    target: PreparedLine
    memory: MemorySnapshot = field(default_factory=MemorySnapshot)
    others: tuple[str, ...] = ()


@torch.inference_mode()
def judge(
    drafter: Drafter, drafts: Sequence[DraftPair], use: Set[str] | None = None
) -> list[tuple[Contribution, Evidence]]:
    """`Drafter.contributions` of drafts, and evidence for the drafts' quality from the same decoding.

    Args:
        use: names of the memories that were read; None for the configuration's choice.
    """
    model = drafter.searcher
    decoded = drafter.decode([draft.source for draft in drafts], [draft.target for draft in drafts])
    target, features = decoded.target, decoded.features
    plain = model.log_probs_after(features, ())
    forced = model.forced(features, target, [draft.memory for draft in drafts], use, plain)
    assert forced.attention is not None
    moved, strays = torch.zeros(len(drafts)), torch.zeros(len(drafts), 0)
    confirmed_readings = [each for name, each in forced.readings.items() if registered(name).heeds_origin]
    before = confirmed_readings[-1].log_probs if confirmed_readings else forced.log_probs
    best, entropy = before.amax(-1), -before.exp().mul_(before).sum(-1)
    if confirmed_readings:
        real, of_plain = target != PAD, target_log_probs(plain, target)
        followed = confirmed_readings[-1].reading.fuse_target(confirmed_readings[-1].log_probs, target)
        moved = ((followed - of_plain) * real).abs().amax(-1).float().cpu()
        strays = ((plain.amax(-1) - of_plain) * real).float().cpu()
    parts = (forced.target_log_probs, best, entropy, forced.attention)
    rows = zip(*(part.float().cpu().numpy() for part in parts), strict=True)
    marks = len(drafter.source.before)
    evidence = [
        replace(_evidence(draft, marks, row), moved=float(largest), strays=stray[: len(draft.target.ids) + 1])
        for draft, row, largest, stray in zip(drafts, rows, moved, strays.numpy(), strict=True)
    ]
    contributions = model.feature_contributions(features, target, Origin.DRAFT, plain)
    return list(zip(contributions, evidence, strict=True))


def _evidence(draft: DraftPair, marks: int, arrays: tuple[np.ndarray, ...]) -> Evidence:
    """Evidence from a row of a padded forced decoding; `marks`: number of marks before the source."""
    source, target = draft.source, draft.target
    log_probs, best, entropy, attention = (each[: len(target.ids) + 1] for each in arrays)
    source_words, target_words = (
        tuple(EvidenceWord(word.text, *word.pieces) for word in line.words) for line in (source, target)
    )
    return Evidence(
        source.line.plain,
        target.line.plain,
        source_words,
        target_words,
        np.array(source.ids, int),
        np.array(target.ids, int),
        log_probs,
        best,
        entropy,
        attention[:, marks : marks + len(source.ids)],
        draft.others,
    )


def quality_of(
    estimator: QualityEstimator, target: PreparedLine, evidence: Evidence, terms: Sequence[SourceTerm] = ()
) -> DraftQuality:
    """The quality of a draft and of its words.

    Words for chosen terms never make the draft unusable, and neither do a clause's number and the next word,
    which the model would rather put in front of it.
    """
    expected, probabilities = estimator.judge(evidence)
    known = " ".join((evidence.source, *target.line.strings)).lower()
    words = []
    for each, probability in zip(target.words, probabilities, strict=True):
        place = raw_span(target.line.tags, each.start, each.end)
        invented = not estimator.training.knows(each.text) and each.text.lower() not in known
        has_letter = any(letter.isalpha() for letter in each.text)
        doubtful = invented or (has_letter and bool(probability < estimator.thresholds.word))
        words.append(WordQuality(each.text, *place, float(probability), doubtful, invented))
    unusable = estimator.is_unusable(evidence)
    given = _term_words(target, terms)
    if CLAUSE_NUMBER.match(evidence.source):
        given |= {*range(len(words))[:2]}
    if unusable and given:
        others = "".join(word.text for place, word in enumerate(target.words) if place not in given)
        is_more = any(map(str.isalnum, others))
        unusable = is_more and estimator.is_unusable(evidence.without(given))
    return DraftQuality(expected, expected < estimator.thresholds.segment, tuple(words), unusable)


def _term_words(target: PreparedLine, terms: Sequence[SourceTerm]) -> set[int]:
    """The indexes of a draft's words for terms that a person chose."""
    plain = target.line.plain
    forms = {form for term in terms if not term.guessed and (form := term.form_in(plain))}
    spans = [match.span() for form in forms for match in re.finditer(re.escape(form), plain)]
    return {
        place
        for place, word in enumerate(target.words)
        if any(word.start < end and start < word.end for start, end in spans)
    }


def basic_quality(draft: Draft) -> DraftQuality:
    """The quality of a draft for a model without an estimator, from the pieces' probabilities."""
    return DraftQuality(draft.probability, draft.probability < _DOUBTFUL_PROBABILITY)
