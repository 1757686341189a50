"""Checks of one segment: warnings for the reader."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain

from anaphora.checks.numbers_by_pair import differing_numbers
from anaphora.checks.quality_document import (
    INVENTED,
    OTHER_NAME,
    OTHER_SOURCE,
    OTHER_TARGET,
    Inventions,
    check_together,
)
from anaphora.checks.quality_text import (
    doubled_words,
    lost_question,
    narrow_marks,
    not_in,
    odd_length,
    reading_speed,
    wide_marks,
    wrong_format_strings,
    wrong_spacing,
)
from anaphora.checks.segment.check import bare, translate
from anaphora.checks.segment.key_names import KEYS
from anaphora.checks.segment.registry import CHECKS
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.length_limits import length_limit, limits_of
from anaphora.core.remarks import Remark, RemarkKind
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.core.text import URL, without_kept_addresses
from anaphora.formats.base.targets import clean_target
from anaphora.term_base.usage import TermUse, Verdict

_NAMES = 3
"""Words of which a name may consist."""
_SHOWN = 80
"""Characters of another segment's text that a warning shows."""
_DIRECTIONS = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"
_TIMES = re.compile(r"^[^\S\n]*\d{1,3}:\d{1,2}:\d{1,2}[,.:]\d{1,3}[^\S\n]*-->.*", re.MULTILINE)

Localise = Callable[[str], str]
"""Gives a text in the language of the reader."""


NOT_CARRIED = translate("Quality", "Not carried over: {0}")
EMPTY = translate("Quality", "The translation is empty.")
SAME = translate("Quality", "The translation is the same as the source.")
TAG_MISSING = translate("Quality", "The tag {0} is missing.")
TAG_TOO_OFTEN = translate("Quality", "The tag {0} appears too often.")
TAG_UNKNOWN = translate("Quality", "The source has no tag {0}.")
TAGS_CROSS = translate(
    "Quality", "The tags are out of order: a pair closes before it opens, or two pairs cross."
)
URL_MISSING = translate("Quality", "The address {0} is missing.")
NUMBER_MISSING = translate("Quality", "The number {0} is missing.")
NUMBER_ADDED = translate("Quality", "The number {0} is not in the source.")
CHINESE_LEFT = translate("Quality", "Untranslated Chinese text: “{0}”.")
SOURCE_LEFT = translate("Quality", "Text left in the source's script: “{0}”.")
FORBIDDEN = translate("Quality", "The file cannot store this character, so it will be left out: {0}.")
DIRECTION = translate("Quality", "Direction control character not in the source: {0}.")
FORMAT_MISSING = translate("Quality", "The format string {0} is missing.")
FORMAT_ADDED = translate("Quality", "The source has no format string {0}.")
DOUBLED = translate("Quality", "Repeated word: “{0}”.")
WIDE = translate("Quality", "Full-width punctuation mark in the translation: {0}.")
NARROW = translate("Quality", "Latin punctuation mark in Chinese text: {0}.")
SPACING = translate("Quality", "Missing or extra space: “{0}”.")
NO_QUESTION = translate("Quality", "The source is a question, but the translation is not.")
SHORT = translate("Quality", "The translation is very short for its source.")
LONG = translate("Quality", "The translation is very long for its source.")
TERM_IGNORED = translate("Quality", "Term “{0}” should be “{1}”.")
TERM_FORBIDDEN = translate("Quality", "“{1}” must not be used for the term “{0}”.")
OTHER_TARGET_SAID = translate("Quality", "The same text is translated differently elsewhere: “{0}”.")
OTHER_SOURCE_SAID = translate("Quality", "Another text has the same translation: “{0}”.")
INVENTED_SAID = translate(
    "Quality", "The word “{0}” is in no dictionary, no source and no confirmed text of this project."
)
OTHER_NAME_SAID = translate("Quality", "This name is written differently elsewhere: “{0}”.")
TOO_FAST = translate("Quality", "{0} characters a second: a subtitle of more than {1} can hardly be read.")
OVER_LIMIT = translate("Quality", "{0} characters or bytes: the file allows {1}.")
TIME_LINE = translate("Quality", "A line looks like the time of a subtitle: “{0}”.")


_KINDS = {
    RemarkKind.TAGS: (
        TAG_MISSING,
        TAG_TOO_OFTEN,
        TAG_UNKNOWN,
        TAGS_CROSS,
        FORMAT_MISSING,
        FORMAT_ADDED,
    ),
    RemarkKind.NUMBERS: (NUMBER_MISSING, NUMBER_ADDED, URL_MISSING),
    RemarkKind.TERMS: (TERM_IGNORED, TERM_FORBIDDEN),
    RemarkKind.CONSISTENCY: (OTHER_TARGET_SAID, OTHER_SOURCE_SAID),
    RemarkKind.NAMES: (OTHER_NAME_SAID,),
    RemarkKind.LENGTH: (SHORT, LONG, TOO_FAST, OVER_LIMIT, EMPTY),
    RemarkKind.LEFT_OVER: (CHINESE_LEFT, SOURCE_LEFT, SAME, WIDE),
}
_KIND_OF = {template: kind for kind, templates in _KINDS.items() for template in templates}
_KIND_OF |= {check.says: check.kind for check in CHECKS}


MOST_REMARKS = 100
"""What the checks say of one segment at most: more nobody reads, and the rest is said as these go."""


def _remark(localise: Localise, template: str, *values: object) -> Remark:
    kind = _KIND_OF.get(template, RemarkKind.WORDING)
    return Remark.made(kind, localise, template, tuple(map(str, values)))


def remark_of_engine(text: str) -> Remark:
    """What the engine says of its draft, so that it can be said in other languages."""
    said = NOT_CARRIED.partition("{")[0]
    if text.startswith(said):
        return Remark.made(RemarkKind.ENGINE, str, NOT_CARRIED, (text.removeprefix(said),))
    return Remark.of(text)


def check_segment(
    segment: Segment, localise: Localise = str, pair: LanguagePair = CHINESE_TO_ENGLISH
) -> tuple[Remark, ...]:
    """Warnings for a segment's target, most serious first; empty when nothing was found.

    A segment that is not started gives none.

    Args:
        localise: gives the warnings' texts in the language of the reader.
        pair: the languages of source and target.
    """
    if not segment.status:
        return ()
    found = check_target(segment.source, segment.target, localise, pair)[:MOST_REMARKS]
    if (limit := length_limit(segment)) is not None and (length := limit.length(segment)) > limit.most:
        found = (_remark(localise, OVER_LIMIT, length, limit.most), *found)
    limits = limits_of(pair.target_language)
    speed = reading_speed(segment, limits)
    return (*found, _remark(localise, TOO_FAST, speed, limits.speed)) if speed > limits.speed else found


def check_others(
    segments: Sequence[Segment],
    localise: Localise = str,
    stop: Callable[[], bool] = bool,
    inventions: Inventions | None = None,
    pair: LanguagePair = CHINESE_TO_ENGLISH,
) -> dict[str, tuple[Remark, ...]]:
    """Warnings for segments that contradict others, or say a word that nobody else does, by their ids.

    Args:
        stop: asked between the checks; what was found so far is returned.
        inventions: tells the words of no dictionary; they are not looked for by default.
        pair: the languages of sources and targets.
    """
    said = {
        OTHER_TARGET: OTHER_TARGET_SAID,
        OTHER_SOURCE: OTHER_SOURCE_SAID,
        OTHER_NAME: OTHER_NAME_SAID,
        INVENTED: INVENTED_SAID,
    }
    found: dict[str, dict[Remark, None]] = {}
    for segment_id, kind, other in check_together(segments, stop, inventions, pair):
        shown = other if len(other) <= _SHOWN else f"{other[:_SHOWN]}…"
        found.setdefault(segment_id, {})[_remark(localise, said[kind], shown, other)] = None
    return {segment_id: tuple(texts) for segment_id, texts in found.items()}


def check_target(
    source: str, target: str, localise: Localise = str, pair: LanguagePair = CHINESE_TO_ENGLISH
) -> tuple[Remark, ...]:
    """Warnings for any target text: empty, untranslated, tags, numbers, URLs lost, the source left over."""
    if not target.strip():
        return (_remark(localise, EMPTY),) if source.strip() else ()
    if target.strip() == source.strip():
        return (_remark(localise, SAME),) if _must_differ(source, pair) else ()
    said = without_kept_addresses(source, target)
    left = pair.left_over(said[1]) if pair.needs_translation(source) else []
    found = (
        *_tag_warnings(source, target),
        *_what_files_lack(source, target),
        *_lost_urls(source, target),
        *_numbers(*said, pair),
        *_registered(source, target, pair),
        *_left(left, pair),
        *(_wording(source, target, pair) if pair.needs_translation(source) and not left else ()),
    )
    said_once = {each: _remark(localise, *each) for each in dict.fromkeys(found)}
    return tuple(map(said_once.__getitem__, found))


def check_terms_of(segment: Segment, uses: Sequence[TermUse], localise: Localise = str) -> tuple[Remark, ...]:
    """Warnings for the terms that a segment's target ignores or must not use."""
    warnings = []
    for use in uses:
        term = segment.source[use.found.start : use.found.end]
        mends = chain.from_iterable(use.mends)
        if use.verdict is Verdict.FORBIDDEN:
            said = dict.fromkeys(segment.target[start:end] for start, end in use.spans)
            warnings.append(_remark(localise, TERM_FORBIDDEN, term, "”, “".join(said), *mends))
        elif use.verdict is Verdict.IGNORED:
            allowed = dict.fromkeys(text for entry in use.found.entries for text in entry.allowed)
            warnings.append(_remark(localise, TERM_IGNORED, term, "”, “".join(allowed), *mends))
    return tuple(warnings)


def _tag_warnings(source: str, target: str) -> list[tuple[str, str]]:
    wanted = Counter(match.group() for match in MARK.finditer(source))
    found = Counter(match.group() for match in MARK.finditer(target))
    warnings = [(TAG_MISSING, mark) for mark in wanted - found]
    warnings += [(TAG_TOO_OFTEN, mark) for mark in found - wanted if mark in wanted]
    warnings += [(TAG_UNKNOWN, mark) for mark in found if mark not in wanted]
    if not warnings and _crossed(target) and not _crossed(source):
        warnings.append((TAGS_CROSS, ""))
    return warnings


def _what_files_lack(source: str, target: str) -> list[tuple[str, str]]:
    """Warnings for what `formats.base.targets` and subtitles remove from a target when they write it."""
    lost = Counter(target) - Counter(clean_target(target, source))
    warnings = [(FORBIDDEN, _code(char)) for char in lost if char not in "\r\n\x0b\x0c\x85\u2028\u2029"]
    marks = dict.fromkeys(char for char in target if char in _DIRECTIONS)
    warnings += [(DIRECTION, _code(char)) for char in marks if char not in source]
    times = (match.group().strip() for match in _TIMES.finditer(target))
    return warnings + [(TIME_LINE, time) for time in not_in(source, times)]


def _code(char: str) -> str:
    return f"U+{ord(char):04X}"


def _crossed(target: str) -> bool:
    opened: list[str] = []
    for match in MARK.finditer(target):
        if match[3]:
            continue
        if not match[1]:
            opened.append(match[2])
        elif not opened or opened.pop() != match[2]:
            return True
    return bool(opened)


def _lost_urls(source: str, target: str) -> list[tuple[str, str]]:
    urls = (url.rstrip(".,;:!?)") for url in URL.findall(source))
    return [(URL_MISSING, url) for url in not_in(target, urls)]


def _must_differ(source: str, pair: LanguagePair) -> bool:
    """Whether a text cannot be its own translation: a few words in letters of both languages may be names."""
    if not pair.needs_translation(source):
        return False
    may_be_names = pair.share_letters or "Latin" in pair.source_language.scripts
    return not may_be_names or len(MARK.sub(" ", source).split()) > _NAMES


def _numbers(source: str, target: str, pair: LanguagePair) -> list[tuple[str, str]]:
    source, target = (KEYS.sub(" ", bare(text)) for text in (source, target))
    missing, added = differing_numbers(source, target, pair)
    warnings = [(NUMBER_MISSING, number) for number in missing]
    return warnings + [(NUMBER_ADDED, number) for number in added]


def _registered(source: str, target: str, pair: LanguagePair) -> list[tuple[str, str]]:
    """What the checks say that are modules of their own."""
    if not pair.needs_translation(source):
        return []
    return [(check.says, found) for check in CHECKS for found in check.find(source, target, pair)]


def _wording(source: str, target: str, pair: LanguagePair) -> list[tuple[str, str]]:
    """Warnings about a text in the target language."""
    language = pair.target_language
    missing, added = wrong_format_strings(source, target)
    warnings = [(FORMAT_MISSING, text) for text in missing]
    warnings += [(FORMAT_ADDED, text) for text in added]
    warnings += [(DOUBLED, word) for word in doubled_words(source, target, language)]
    if not language.is_wide:
        warnings += [(WIDE, mark) for mark in wide_marks(target)]
    elif language.code == "zh":
        warnings += [(NARROW, mark) for mark in narrow_marks(target)]
    warnings += [(SPACING, text.replace(" ", "␣")) for text in wrong_spacing(source, target, language)]
    if lost_question(source, target, pair):
        warnings.append((NO_QUESTION, ""))
    if length := odd_length(source, target, pair):
        warnings.append((SHORT if length == "short" else LONG, ""))
    return warnings


def _left(left: Sequence[str], pair: LanguagePair) -> list[tuple[str, str]]:
    said = CHINESE_LEFT if pair.source_language.code == "zh" else SOURCE_LEFT
    return [(said, "”, “".join(dict.fromkeys(left[:3])))] if left else []
