"""What is an issue: the one definition that chip, F8, list, export, closing and `anaphora check` count by.

An issue is what a check says of a segment that somebody can change, unless it was dismissed there: a check
of the segment, of its terms, of the segments against each other, or of the engine when it made the text.

A term with several renderings is no issue: which ones there are is read off alignments that come in while
somebody works, and it is a matter of the term, which has a list of its own. Nor is a doubtful draft: how good
it is likely to be is an estimate, which is marked, filtered and gone to by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from anaphora.checks.quality import MOST_REMARKS, Localise, check_segment, remark_of_engine
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.remarks import Remark
from anaphora.core.segment import Segment, Status


def remarks_on(
    segment: Segment,
    others: Iterable[Remark] = (),
    terms: Iterable[Remark] = (),
    localise: Localise = str,
    pair: LanguagePair = CHINESE_TO_ENGLISH,
) -> tuple[Remark, ...]:
    """All that the checks say of a segment, each thing once, whether it is dismissed or not.

    Args:
        others: what the comparison with other segments says of it, see `quality.check_others`.
        terms: what is said of its terms, see `quality.check_terms_of`.
    """
    if segment.status is Status.LOCKED:
        return ()
    report = segment.state.report
    engine = map(remark_of_engine, report.warnings if report is not None and not report.proposal else ())
    kept = (each.said(localise) for each in (*others, *terms, *engine))
    return tuple(dict.fromkeys((*check_segment(segment, localise, pair), *islice(kept, MOST_REMARKS))))
