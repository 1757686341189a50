"""Sentence rules of the app's first version, kept for the documents of its projects."""

from __future__ import annotations

import re

from anaphora.core.text import HAN

_CLOSERS = "”’」』）】》〉〕］｝)]}»›"
_ASCII_QUOTES = "\"'＂＇"
_FULL_STOPS = "。！？｡"
_RUN = re.compile(r"[。！？｡!?]+[。！？｡!?…]*|…+[。！？｡!?]*|\.+[!?]*")
# What goes on with the sentence although a terminator stands before it: “好！”，他说。
_CONTINUES = "，、；：,;:…—～·"
_OPENERS = "“‘「『（【《〈〔([{\"'"
_INITIALS = re.compile(r"(?:^|[^A-Za-z])(?:[A-Za-z]\.)*[A-Za-z]$")
_LIST_NUMBER = re.compile(r"\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})(?:\.\d{1,3})*")
_LAST_WORD = re.compile(r"[A-Za-z.]+$")
_ABBREVIATION_LIST = (
    "mr mrs ms dr prof st mt rev gen col sgt capt lt gov sen rep hon pres vs cf fig figs eq eqs sec secs ch "
    "chap vol vols no nos pp ed eds al approx ca dept est resp viz i.e e.g ie eg art para ref refs tab ver "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
_ABBREVIATIONS = frozenset(_ABBREVIATION_LIST.split())
# These may well end a sentence, so they count only where a number follows.
_NUMBER_FOLLOWS_LIST = "no nos fig figs eq eqs sec secs ch chap vol vols pp art para ver"
_NUMBER_FOLLOWS = frozenset(_NUMBER_FOLLOWS_LIST.split())


def split_sentences(text: str, language: str) -> list[tuple[int, int]]:
    """Character spans of the sentences, in order; together they cover all non-space text.

    `；` and `;` never end a sentence; closing quotes and brackets stay with theirs; full stops inside
    numbers, addresses, file names and abbreviations do not count. A long sentence is returned whole.

    Args:
        text: one paragraph; line breaks in it are not boundaries.
        language: "zh" or "en".
    """
    spans: list[tuple[int, int]] = []
    start = _skip_space(text, 0)
    for run in _RUN.finditer(text):
        if run.start() < start:
            continue
        end = _after_closers(text, run.end())
        if _is_boundary(text, start, run, end, language):
            spans.append((start, end))
            start = _skip_space(text, end)
    end = len(text.rstrip())
    if start < end:
        spans.append((start, end))
    return spans


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _after_closers(text: str, position: int) -> int:
    """The offset behind the closers at `position`; of straight quotes, which may also open, one of a kind."""
    seen = ""
    while position < len(text):
        char = text[position]
        if char in _ASCII_QUOTES and char not in seen:
            seen += char
        elif char not in _CLOSERS:
            break
        position += 1
    return position


def _is_boundary(text: str, start: int, run: re.Match[str], end: int, language: str) -> bool:
    after = _skip_space(text, end)
    if after == len(text):
        return True
    following, spaced = text[after], after > end
    if following in _CONTINUES and not spaced:
        return False
    if run.group()[0] in _FULL_STOPS:
        return True
    if run.group()[0] == "…":
        return (spaced or end > run.end() or run.group()[-1] != "…") and _starts_sentence(following)
    if run.group() == ".":
        return _full_stop_ends(text, start, run.start(), after, spaced, language)
    if run.group().endswith("."):  # an ellipsis of full stops
        return spaced and _starts_sentence(following)
    return (spaced or _is_chinese(following)) and _starts_sentence(following)


def _full_stop_ends(text: str, start: int, stop: int, after: int, spaced: bool, language: str) -> bool:
    """Whether the single ASCII full stop at `stop` ends the sentence that began at `start`."""
    following = text[after]
    before = text[start:stop]
    if not spaced:
        return language == "zh" and _is_chinese(following) and bool(before) and _is_chinese(before[-1])
    if not before or _LIST_NUMBER.fullmatch(before) or not _starts_sentence(following):
        return False
    tail = before[-40:]  # enough for any abbreviation, and linear in the text
    word_match = _LAST_WORD.search(tail)
    if word_match is None:
        return True
    word = word_match.group().lower().lstrip(".")
    if word in _NUMBER_FOLLOWS:
        return not (following.isdigit() or following in "IVX([")
    if word in _ABBREVIATIONS:
        return False
    return not _INITIALS.search(tail)


def _is_chinese(char: str) -> bool:
    return bool(HAN.match(char)) or char in "“‘「『（【《〈〔"


def _starts_sentence(char: str) -> bool:
    """Whether a sentence can begin with this character: lower-case letters go on with the last one."""
    return char.isupper() or char.isdigit() or char in _OPENERS or not (char.isascii() or char.islower())
