"""All remarks about a segment.

Everywhere, an issue is a remark of `remarks_on` that is not dismissed. Terms with several renderings are not
issues, because another list shows them. Drafts of low confidence are not issues, because their expected
quality is only an estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK
from anaphora.core.text import without_kept_addresses
from anaphora.features.checks.quality_document import Inventions, check_together
from anaphora.features.checks.registry import (
    CHINESE_LEFT,
    EMPTY,
    GENERAL_FINDERS,
    NOT_CARRIED,
    SAME,
    SOURCE_LEFT,
    TERM_FORBIDDEN,
    TERM_IGNORED,
    WORDING_FINDERS,
)
from anaphora.features.checks.segment.check import Check, Remark
from anaphora.features.checks.segment.lengths import exceeded_limits
from anaphora.features.checks.segment.tags import find_moved
from anaphora.features.terms.usage import TermUse, Verdict

MAX_REMARKS = 100
"""Maximum number of remarks from `check_target`; also of those from comparison, terms and engine together."""
_MAX_NAME_WORDS = 3
"""A source with up to this number of words may be a name, which a translation may keep unchanged."""
_MAX_SHOWN = 80
"""Maximum number of characters of another segment's text in a remark."""

Localise = Callable[[str], str]


def _remark(localise: Localise, check: Check, *values: object) -> Remark:
    return Remark.from_template(check.kind, localise, check.message, tuple(map(str, values)))


def remark_of_engine(text: str) -> Remark:
    """A remark from the engine's warning; a warning of missing text gets the template of `NOT_CARRIED`."""
    start = NOT_CARRIED.message.partition("{")[0]
    return _remark(str, NOT_CARRIED, text.removeprefix(start)) if text.startswith(start) else Remark.of(text)


def check_segment(
    segment: Segment, localise: Localise = str, pair: LanguagePair = CHINESE_TO_ENGLISH
) -> tuple[Remark, ...]:
    """Remarks about a segment's target, its length and its reading speed; none for an unstarted segment."""
    if not segment.status:
        return ()
    found = check_target(segment.source, segment.target, localise, pair)[:MAX_REMARKS]
    lengths = (_remark(localise, *each) for each in exceeded_limits(segment, pair))
    return (*lengths, *(_remark(localise, *each) for each in find_moved(segment)), *found)


def check_others(
    segments: Sequence[Segment],
    localise: Localise = str,
    stop: Callable[[], bool] = bool,
    inventions: Inventions | None = None,
    pair: LanguagePair = CHINESE_TO_ENGLISH,
) -> dict[str, tuple[Remark, ...]]:
    """Remarks about contradictions between segments and about unknown words, by segment id.

    Args:
        stop: called repeatedly; once it returns True, the remarks found so far are returned.
        inventions: finds unknown words; if None, unknown words are not reported.
    """
    found: dict[str, dict[Remark, None]] = {}
    for segment_id, check, other in check_together(segments, stop, inventions, pair):
        shown = other if len(other) <= _MAX_SHOWN else f"{other[:_MAX_SHOWN]}…"
        found.setdefault(segment_id, {})[_remark(localise, check, shown, other)] = None
    return {segment_id: tuple(texts) for segment_id, texts in found.items()}


def check_target(
    source: str, target: str, localise: Localise = str, pair: LanguagePair = CHINESE_TO_ENGLISH
) -> tuple[Remark, ...]:
    """Remarks about a target; one that is empty or equals its source gets at most one remark."""
    if not target.strip():
        return (_remark(localise, EMPTY),) if source.strip() else ()
    if target.strip() == source.strip():
        return (_remark(localise, SAME),) if _must_differ(source, pair) else ()
    finders, needs_translation = GENERAL_FINDERS, pair.needs_translation(source)
    left = pair.untranslated_stretches(without_kept_addresses(source, target)[1]) if needs_translation else []
    if needs_translation and not left:
        finders += WORDING_FINDERS
    found = [each for find in finders for each in find(source, target, pair)]
    if left:
        check = CHINESE_LEFT if pair.source_language.code == "zh" else SOURCE_LEFT
        found.append((check, "”, “".join(dict.fromkeys(left[:3]))))
    return tuple(_remark(localise, *each) for each in found)


def remarks_on(
    segment: Segment,
    others: Iterable[Remark] = (),
    terms: Iterable[Remark] = (),
    localise: Localise = str,
    pair: LanguagePair = CHINESE_TO_ENGLISH,
) -> tuple[Remark, ...]:
    """All remarks about a segment, each once, dismissed or not; none if the segment is locked.

    The engine's warnings are included, unless they concern a proposal, which is not in the target.
    `others` come from `check_others`, `terms` from `check_terms_of`.
    """
    if segment.status is Status.LOCKED:
        return ()
    report = segment.state.report
    engine = map(remark_of_engine, report.warnings if report is not None and not report.proposal else ())
    translated = (each.localised(localise) for each in (*others, *terms, *engine))
    return tuple(dict.fromkeys((*check_segment(segment, localise, pair), *islice(translated, MAX_REMARKS))))


def check_terms_of(segment: Segment, uses: Sequence[TermUse], localise: Localise = str) -> tuple[Remark, ...]:
    """Remarks about terms that a target ignores, and about forbidden translations in the target."""
    remarks = []
    for use in uses:
        if use.verdict is Verdict.USED:
            continue
        if use.verdict is Verdict.FORBIDDEN:
            check, used = TERM_FORBIDDEN, [segment.target[start:end] for start, end in use.spans]
        else:
            check, used = TERM_IGNORED, [text for entry in use.found.entries for text in entry.allowed]
        term = segment.source[use.found.start : use.found.end]
        fixes = chain.from_iterable(use.fixes)
        remarks.append(_remark(localise, check, term, "”, “".join(dict.fromkeys(used)), *fixes))
    return tuple(remarks)


def _must_differ(source: str, pair: LanguagePair) -> bool:
    """True if the target must differ from this source; a few words in a shared script may be names."""
    if not pair.needs_translation(source):
        return False
    may_be_names = pair.share_letters or "Latin" in pair.source_language.scripts
    return not may_be_names or len(MARK.sub(" ", source).split()) > _MAX_NAME_WORDS
