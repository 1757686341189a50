"""Sentence rules in SRX: reading, writing and checking them, and splitting new documents by them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import groupby, pairwise

import regex
from lxml import etree

from anaphora.core.errors import DocumentError, Message
from anaphora.core.long_work import each_of
from anaphora.core.segment import Span
from anaphora.core.text import has_han
from anaphora_text.punctuation import PAUSES, WIDE_PAUSES, one_of

_MAX_BYTES = 2**20
"""Maximum length of an SRX file, in bytes."""
SECONDS = 5.0
"""Time limit in seconds of the user's rules for one text; normal rules need less than a second for 1 MB."""

_GROUP_REFERENCE = regex.compile(r"\\[1-9]|\\k|\\g|\(\?P?<[^=!]|\(\?P=|\(\?[1-9R]")
"""Named groups, and references to groups, which would fail in an expression that joins several rules."""
UNDETERMINED = "und"
"""ISO 639's code for an unknown language."""


class SegmentationError(DocumentError):
    """Sentence rules are not SRX, contain an invalid expression, or take too long."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule for positions in a text: `before` matches the text before a position, `after` the text after it.

    The expression "" matches any text.

    Attributes:
        breaks: True if a sentence ends at these positions; False for an exception, where none ends.
        language: an expression that matches the codes of the rule's languages, such as "zh.*".
    """

    breaks: bool
    before: str
    after: str
    language: str = ".*"


def rules_for(rules: Iterable[Rule], language: str) -> tuple[Rule, ...]:
    """The rules for a language. For Chinese and English, these include the rules for UNDETERMINED."""
    return tuple(rule for rule in rules if _matches_language(rule.language, language))


def default_rules() -> str:
    """The text of the rules that come with the app."""
    return files("anaphora_resources").joinpath("segmentation", "default.srx").read_text("utf-8")


def read_srx(data: bytes | str, checks: bool = True) -> tuple[Rule, ...]:
    """Read rules in the order in which they apply.

    Args:
        checks: True to check each expression; False for the app's own rules, to save a quarter of a second.
    Raises:
        SegmentationError: the text is not SRX, is too long, has no rules, has a document type, maps a
            language to missing rules, or contains an empty rule or, with `checks`, an invalid expression.
    """
    root = _parse(data.encode("utf-8") if isinstance(data, str) else data)
    by_name = {element.get("languagerulename", ""): element for element in _descendants(root, "languagerule")}
    rules: list[Rule] = []
    for entry in _descendants(root, "languagemap"):
        name, language = entry.get("languagerulename", ""), entry.get("languagepattern", "")
        if name not in by_name:
            raise _invalid(Message("there are no rules with the name “{name}”", name=name), entry.sourceline)
        if checks:
            _compile(language, entry.sourceline)
        rules += (_rule(element, language, checks) for element in _descendants(by_name[name], "rule"))
    if not rules:
        raise _invalid(Message("no language has any rules"), root.sourceline)
    return tuple(rules)


def write_srx(rules: Iterable[Rule]) -> str:
    """The rules as an SRX 2.0 file."""
    root = etree.Element("srx", {"xmlns": "http://www.lisa.org/srx20", "version": "2.0"})
    header = etree.SubElement(root, "header", {"segmentsubflows": "yes", "cascade": "yes"})
    for kind, include in (("start", "no"), ("end", "yes"), ("isolated", "no")):
        etree.SubElement(header, "formathandle", type=kind, include=include)
    body = etree.SubElement(root, "body")
    all_rules, language_maps = etree.SubElement(body, "languagerules"), etree.SubElement(body, "maprules")
    for number, (language, group) in enumerate(groupby(rules, lambda rule: rule.language), start=1):
        name = {"languagerulename": f"{number} {language}"}
        etree.SubElement(language_maps, "languagemap", {"languagepattern": language} | name)
        language_rules = etree.SubElement(all_rules, "languagerule", name)
        for rule in group:
            element = etree.SubElement(language_rules, "rule", {"break": "yes" if rule.breaks else "no"})
            etree.SubElement(element, "beforebreak").text = rule.before
            etree.SubElement(element, "afterbreak").text = rule.after
    xml = etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=True)
    return str(xml, "utf-8")


def check_expression(expression: str) -> str:
    """The error message for an expression; "" if it is valid."""
    try:
        _compile(expression, 0)
    except SegmentationError as problem:
        return problem.message
    return ""


class Breaker:
    """Finds the ends of sentences by rules.

    Most texts are one sentence. Therefore a quick search first checks if any breaking rule matches.
    """

    def __init__(self, rules: tuple[Rule, ...], seconds: float | None = SECONDS) -> None:
        """Compile the patterns of valid rules; `seconds` is the time limit for a text, None for no limit."""
        self._seconds = seconds
        self._levels = tuple(
            (level[0].breaks, _pattern(level), _before_end(level)) for level in _levels(rules)
        )

    def breaks(self, text: str) -> list[int]:
        """Offsets within the text where a sentence ends; SegmentationError if the search takes too long."""
        ends: set[int] = set()
        exceptions: list[regex.Pattern[str]] = []
        deadline = None if self._seconds is None else time.monotonic() + self._seconds
        try:
            for is_breaking, pattern, before_end in self._levels:
                if not is_breaking:
                    exceptions.append(pattern)
                    continue
                # Leaving the timeout out is faster than passing None.
                search = before_end.search
                if (search(text) if deadline is None else search(text, timeout=_remaining(deadline))) is None:
                    continue
                fitting = pattern.finditer(text, timeout=_remaining(deadline))
                places = {match.end() for match in each_of(fitting)} - ends
                for exception in exceptions:
                    matches, left = exception.match, _remaining(deadline)
                    places = {place for place in each_of(places) if not matches(text, place, timeout=left)}
                ends |= places
        except TimeoutError as error:
            raise SegmentationError(
                "The sentence rules take too long on this text.",
                "Simplify or reset them in Edit ▸ Sentence rules….",
            ) from error
        return sorted(ends - {0, len(text)})


@lru_cache(maxsize=16)
def breaker(rules: str, language: str) -> Breaker:
    """The cached breaker for an SRX file's text and a language; the default rules have no time limit."""
    is_default = rules == default_rules()
    return Breaker(rules_for(read_srx(rules, not is_default), language), None if is_default else SECONDS)


def _remaining(deadline: float | None) -> float | None:
    if deadline is None:
        return None
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def _levels(rules: tuple[Rule, ...]) -> Iterator[list[Rule]]:
    """Group consecutive exceptions; a breaking rule, or one with named groups or references, stays alone."""
    for is_single, group in groupby(rules, lambda rule: rule.breaks or _has_group_reference(rule)):
        level = list(group)
        yield from ([rule] for rule in level) if is_single else (level,)


def _has_group_reference(rule: Rule) -> bool:
    return _GROUP_REFERENCE.search(rule.before + rule.after) is not None


def _before_end(rules: list[Rule]) -> regex.Pattern[str]:
    """A pattern that finds a match of the rules before a text's end; an atomic group avoids backtracking."""
    return regex.compile(f"(?>{_pattern(rules).pattern})(?!\\Z)", regex.V1)


def _pattern(rules: list[Rule]) -> regex.Pattern[str]:
    parts = []
    for rule in rules:
        after = f"(?={rule.after})" if rule.after else ""
        if rule.breaks:
            parts.append(f"(?:{rule.before}){after}")
        else:  # Testing the text after the position first is faster.
            parts.append(f"{after}(?<={rule.before})")
    return regex.compile("|".join(parts), regex.V1)


def _compile(expression: str, line: int) -> regex.Pattern[str]:
    try:
        return regex.compile(f"(?<={expression})", regex.V1)
    except (regex.error, OverflowError, RecursionError, ValueError) as error:
        what = Message(
            "the regular expression “{expression}” is not valid ({reason})",
            expression=expression[:60],
            reason=getattr(error, "msg", error),  # without the position, which counts the added "(?<="
        )
        raise _invalid(what, line) from error


@lru_cache(maxsize=1024)
def _matches_language(pattern: str, language: str) -> bool:
    compiled = regex.compile(pattern, regex.V1 | regex.IGNORECASE)
    codes = (language, UNDETERMINED) if language.split("-")[0] in ("zh", "en") else (language,)
    return any(map(compiled.fullmatch, codes))


def _rule(element: etree._Element, language: str, checks: bool) -> Rule:
    texts = {"beforebreak": "", "afterbreak": ""}
    for name in texts:
        for child in _descendants(element, name):
            texts[name] = "".join(child.itertext())
            if checks:
                _compile(texts[name], child.sourceline)
    if not texts["beforebreak"] and not texts["afterbreak"]:
        raise _invalid(Message("a rule is empty"), element.sourceline)
    breaks = element.get("break", "yes") != "no"
    return Rule(breaks, texts["beforebreak"], texts["afterbreak"], language)


def _parse(data: bytes) -> etree._Element:
    if len(data) > _MAX_BYTES:
        raise SegmentationError("The file with the sentence rules is too long.", "Choose another file.")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        line = getattr(error, "lineno", 0) or 0
        raise _invalid(Message("the file is not XML ({error})", error=error), line) from error
    if root.getroottree().docinfo.doctype:
        raise _invalid(Message("document type declarations are not accepted"), 1)
    if etree.QName(root).localname != "srx":
        raise _invalid(Message("the file does not contain SRX rules"), root.sourceline)
    return root


def _descendants(element: etree._Element, name: str) -> Iterator[etree._Element]:
    return element.iter(f"{{*}}{name}")


def _invalid(what: str, line: int) -> SegmentationError:
    if line:
        message = Message("The sentence rules are not valid on line {line}: {what}.", line=line, what=what)
    else:
        message = Message("The sentence rules are not valid: {what}.", what=what)
    return SegmentationError(message, "Correct or reset the rules.")


_GOOD_PLACE = re.compile(rf"(?<=\s)(?=\S)|(?<={one_of(PAUSES + WIDE_PAUSES)})")
"""Preferred positions for cuts in sentences that are too long."""


class Segmenter:
    """Splits texts into sentences by SRX rules.

    Attributes:
        language: code of the texts' language; "" if unknown.
        cuts: the number of cuts made so far in sentences that were too long.
    """

    def __init__(self, rules: str, language: str = "", max_length: int | None = None) -> None:
        """
        Args:
            rules: an SRX file's text.
            max_length: maximum number of characters in a sentence; None for no limit.
        Raises:
            SegmentationError: the rules are not valid, see `read_srx`.
        """
        self._rules, self._max_length = rules, max_length
        self.language, self.cuts = language, 0
        if rules != default_rules():  # the default rules are valid, and compiling them takes half a second
            breaker(self._rules, self.language or "zh")

    def spans(self, text: str) -> list[Span]:
        """The spans of the sentences, without white space at their ends; SegmentationError for slow rules."""
        places = breaker(self._rules, language_of_rules(self.language, text)).breaks(text)
        if self._max_length is not None and len(text) > self._max_length:
            places = list(self._with_cuts(text, places, self._max_length))
        spans = []
        for start, end in pairwise((0, *places, len(text))):
            part = text[start:end]
            if stripped := part.strip():
                first = start + len(part) - len(part.lstrip())
                spans.append((first, first + len(stripped)))
        return spans

    def _with_cuts(self, text: str, places: Iterable[int], max_length: int) -> Iterable[int]:
        start = 0
        for end in (*places, len(text)):
            start = end - len(text[start:end].lstrip())
            last = start + len(text[start:end].rstrip())
            while last - start > max_length:
                start = _cut_position(text, start, start + max_length)
                self.cuts += 1
                yield start
            start = end
            if end < len(text):
                yield end


def language_of_rules(language: str, text: str) -> str:
    """The language of a text's rules; for "" and "en", it is "zh" with Han characters, otherwise "en"."""
    if language in ("", "en"):
        return "zh" if has_han(text) else "en"
    return language


def _cut_position(text: str, start: int, end: int) -> int:
    """The last preferred position in the second half of text[start:end]; `end` if there is none."""
    good = (match.start() for match in _GOOD_PLACE.finditer(text, (start + end) // 2, end + 1))
    places = [place for place in good if place <= end]
    return places[-1] if places else end


DEFAULT_SEGMENTER = Segmenter(default_rules())
"""A segmenter with the rules that come with the app, for texts of any length."""
