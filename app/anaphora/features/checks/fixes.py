"""Fixes of remarks with one safe way: the new text of a target."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.features.checks.quality import check_target
from anaphora.features.checks.quality_document import OTHER_TARGET
from anaphora.features.checks.registry import CHECK_OF
from anaphora.features.checks.remarks import Remark, RemarkKind
from anaphora.features.checks.segment.check import MOST
from anaphora.features.terms.substitution import substitute


def mended(source: str, target: str, remark: Remark, pair: LanguagePair = CHINESE_TO_ENGLISH) -> str:
    """The target with a remark fixed; "" without a safe way.

    A way is safe if the checks then find less in the target, and nothing new.
    """
    check = CHECK_OF.get(remark.template)
    if not target.strip() or check is None:
        return ""
    if check.kind is RemarkKind.TERMS:
        found = substitute(target, tuple(zip(remark.values[2::2], remark.values[3::2], strict=True)))
    elif check.mend is not None:
        found = check.mend(source, target, remark.values[-1] if remark.values else "")
    else:
        return ""
    if found == target or not found.strip():
        return ""
    was, now = ({each.key for each in check_target(source, text, pair=pair)} for text in (target, found))
    says_less = now < was if remark.key in was else now <= was
    return found if says_less and remark.key not in now else ""


def mended_all(
    source: str, target: str, remarks: Iterable[Remark], pair: LanguagePair = CHINESE_TO_ENGLISH
) -> str:
    """The target with remarks fixed as far as that is safe; "" if nothing is.

    A person must choose between several translations of one text: two would change places.
    Only the first `MOST` remarks are tried, as each costs two checks.
    """
    text = target
    for remark in islice(dict.fromkeys(remarks), MOST):
        if remark.template != OTHER_TARGET.says:
            text = mended(source, text, remark, pair) or text
    return text if text != target else ""
