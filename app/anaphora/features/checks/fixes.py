"""Fixes of remarks that have one safe fix."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.features.checks.quality import check_target
from anaphora.features.checks.quality_document import OTHER_TARGET
from anaphora.features.checks.registry import CHECK_OF
from anaphora.features.checks.remarks import Remark, RemarkKind
from anaphora.features.checks.segment.check import MAX_FINDINGS
from anaphora.features.terms.substitution import substitute


def fixed(source: str, target: str, remark: Remark, pair: LanguagePair = CHINESE_TO_ENGLISH) -> str:
    """The target with a remark fixed; "" if there is no safe fix.

    A fix is safe if the checks then find fewer issues in the target and no new ones.
    """
    check = CHECK_OF.get(remark.template)
    if not target.strip() or check is None:
        return ""
    if check.kind is RemarkKind.TERMS:
        found = substitute(target, tuple(zip(remark.values[2::2], remark.values[3::2], strict=True)))
    elif check.fix is not None:
        found = check.fix(source, target, remark.values[-1] if remark.values else "")
    else:
        return ""
    if found == target or not found.strip():
        return ""
    before, now = ({each.key for each in check_target(source, text, pair=pair)} for text in (target, found))
    is_better = now < before if remark.key in before else now <= before
    return found if is_better and remark.key not in now else ""


def fixed_all(
    source: str, target: str, remarks: Iterable[Remark], pair: LanguagePair = CHINESE_TO_ENGLISH
) -> str:
    """The target with all safe fixes; "" if there are none.

    Excludes different translations of the same text: fixing both would exchange them.
    Only the first `MAX_FINDINGS` remarks are tried, as each costs two checks.
    """
    text = target
    for remark in islice(dict.fromkeys(remarks), MAX_FINDINGS):
        if remark.template != OTHER_TARGET.message:
            text = fixed(source, text, remark, pair) or text
    return text if text != target else ""
