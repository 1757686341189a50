"""What a check finds, mended where there is one safe way: the text that a target becomes.

A mend is only offered if the checks then say less of the target, and nothing that they did not say before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from anaphora.checks import quality
from anaphora.checks.number_fixes import with_mended_numbers
from anaphora.checks.quality_document import name_variants
from anaphora.checks.quality_text import MOST, wrong_format_strings
from anaphora.checks.segment.check import Mend
from anaphora.checks.segment.registry import CHECKS
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.remarks import Remark, RemarkKind
from anaphora.core.tags import MARK
from anaphora.formats.base.targets import clean_target
from anaphora.term_base.substitution import substitute
from anaphora_text.punctuation import (
    CLOSING,
    NARROW,
    ROUND_BRACKET_PAIRS,
    WIDE_PAUSES,
    WIDE_SENTENCE_ENDS,
    one_of,
)

_CODE = re.compile(r"U\+([0-9A-F]{4,6})")
_STOPS = WIDE_PAUSES + WIDE_SENTENCE_ENDS
_BLANK = r"[^\S\r\n]"
_WIDE_OPEN, _WIDE_CLOSE = tuple(ROUND_BRACKET_PAIRS[1])
_NARROWED = str.maketrans(dict(NARROW))


def mended(source: str, target: str, remark: Remark, pair: LanguagePair = CHINESE_TO_ENGLISH) -> str:
    """The target without what a remark says of it; "" where no safe way is known."""
    mend = _MENDERS.get(remark.template)
    if not target.strip():
        return ""
    if remark.kind is RemarkKind.TERMS:
        found = substitute(target, tuple(zip(remark.values[2::2], remark.values[3::2], strict=True)))
    elif mend is not None:
        found = mend(source, target, remark.values[-1] if remark.values else "")
    else:
        return ""
    if found == target or not found.strip():
        return ""
    was, now = (
        {each.key for each in quality.check_target(source, text, pair=pair)} for text in (target, found)
    )
    says_less = now < was if remark.key in was else now <= was
    return found if says_less and remark.key not in now else ""


def mended_all(
    source: str, target: str, remarks: Iterable[Remark], pair: LanguagePair = CHINESE_TO_ENGLISH
) -> str:
    """The target without what remarks say of it, as far as that is safe; "" where nothing is.

    Which of several translations of one text is right is for a person to say: two would change places.
    Only the first `MOST` remarks are tried, as each costs two checks.
    """
    text = target
    for remark in islice(dict.fromkeys(remarks), MOST):
        if remark.template != quality.OTHER_TARGET_SAID:
            text = mended(source, text, remark, pair) or text
    return text if text != target else ""


def _tag_missing(source: str, target: str, mark: str) -> str:
    """A tag at the source's very beginning or end, or a pair around it, is put there in the target, too."""
    match = MARK.fullmatch(mark)
    if match is None:
        return target
    text = source.strip()
    opening, closing = f"{{{match[2]}}}", f"{{/{match[2]}}}"
    if match[3]:
        if text.startswith(mark):
            return mark + target
        return target + mark if text.endswith(mark) else target
    if text.startswith(opening) and text.endswith(closing):
        return opening * (opening not in target) + target + closing * (closing not in target)
    return target


def _tag_unknown(source: str, target: str, mark: str) -> str:
    return target.replace(mark, "")


def _number(source: str, target: str, _: str) -> str:
    return with_mended_numbers(source, target)


def _format_string(source: str, target: str, _: str) -> str:
    """Where one is missing and another one is there in its place."""
    missing, added = wrong_format_strings(source, target)
    return target.replace(added[0], missing[0]) if len(missing) == len(added) == 1 else target


def _forbidden(source: str, target: str, code: str) -> str:
    return clean_target(target, source)


def _direction(source: str, target: str, code: str) -> str:
    match = _CODE.fullmatch(code)
    return clean_target(target.replace(chr(int(match[1], 16)), ""), source) if match else target


def _doubled(source: str, target: str, word: str) -> str:
    return re.sub(rf"\b({re.escape(word)})\s+{re.escape(word)}\b", r"\1", target, flags=re.IGNORECASE)


def _wide(source: str, target: str, mark: str) -> str:
    """All Chinese punctuation at once, with the blanks of English; lines stay."""
    text = re.sub(rf"(?<!{_BLANK}){_BLANK}+(?={one_of(_STOPS + _WIDE_OPEN + _WIDE_CLOSE)})", "", target)
    text = re.sub(rf"({one_of(_STOPS)}){_BLANK}*", lambda stop: f"{NARROW[stop[1]]} ", text)
    text = re.sub(rf" ?{_WIDE_OPEN}{_BLANK}*", " (", text)
    text = re.sub(rf"{_WIDE_CLOSE}{_BLANK}*", ") ", text).translate(_NARROWED)
    text = re.sub(r"(?<! ) +(?=[\r\n,.;:!?)\]]|$)|(?<=[\r\n]) (?=\()", "", text)
    return text.strip(" ") if target.strip(" ") == target else text


def _spacing(source: str, target: str, shown: str) -> str:
    wrong = shown.replace("␣", " ")
    right = re.sub(r" +([,;!?.:])", r"\1", re.sub(" {2,}", " ", wrong))
    right = re.sub(r"([,;!?:])(?=[A-Za-z])", r"\1 ", right)
    return target.replace(wrong, right)


def _question(source: str, target: str, _: str) -> str:
    """In place of the last stop; without one, before or behind closing marks and tags as in the source."""
    text = target.rstrip()
    inner, tags = _without_tags_behind(text)
    body = inner.rstrip(CLOSING)
    closing = inner[len(body) :]
    if body.endswith((".", "!")):
        return f"{body[:-1]}?{closing}{tags}"
    asked = source.rstrip()
    bare, _ = _without_tags_behind(asked)
    if bare[-1:] in CLOSING:
        return f"{body}?{closing}{tags}"
    return f"{text}?" if bare == asked else f"{inner}?{tags}"


def _without_tags_behind(text: str) -> tuple[str, str]:
    """A text without the tags at its end, and these with the blanks among them."""
    end = len(text)
    for mark in reversed([*MARK.finditer(text)]):
        if text[mark.end() : end].strip():
            break
        end = mark.start()
    inner = text[:end].rstrip()
    return inner, text[len(inner) :]


def _other_target(source: str, target: str, other: str) -> str:
    return other


def _other_name(source: str, target: str, other: str) -> str:
    for name in name_variants(target, other):
        target = re.sub(rf"\b{re.escape(name)}\b", lambda _: other, target)
    return target


_MENDERS: dict[str, Mend] = {
    quality.TAG_MISSING: _tag_missing,
    quality.TAG_UNKNOWN: _tag_unknown,
    quality.NUMBER_MISSING: _number,
    quality.NUMBER_ADDED: _number,
    quality.FORMAT_MISSING: _format_string,
    quality.FORMAT_ADDED: _format_string,
    quality.FORBIDDEN: _forbidden,
    quality.DIRECTION: _direction,
    quality.DOUBLED: _doubled,
    quality.WIDE: _wide,
    quality.SPACING: _spacing,
    quality.NO_QUESTION: _question,
    quality.OTHER_TARGET_SAID: _other_target,
    quality.OTHER_NAME_SAID: _other_name,
    **{check.says: check.mend for check in CHECKS if check.mend is not None},
}
