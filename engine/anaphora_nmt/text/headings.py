"""The numbers of articles, chapters and sections at the beginning of a text: 第二条 is Article 2.

Unprotected, such a number may move into the sentence or get lost. 第二条规定 is part of a sentence and
第二条、第三条 is a list, so neither counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora_text.numbers.chinese import value_of
from anaphora_text.numbers.numerals import Numeral
from anaphora_text.numbers.signs import is_mark
from anaphora_text.punctuation import COLONS, WIDE_COMMAS

_NAMES = {
    "条": "Article", "章": "Chapter", "节": "Section", "编": "Part", "部分": "Part", "篇": "Part",
    "卷": "Volume", "课": "Lesson", "步": "Step",
}  # fmt: skip
_NUMBER = "[0-9零〇○一二三四五六七八九十百千两]+"
_HEADING = re.compile(
    rf"\s*(?P<all>第[ ]?(?P<number>{_NUMBER})[ ]?(?P<name>{'|'.join(_NAMES)}))(?=[ .{COLONS}]|$)"
)
_ITEM = re.compile(
    rf"\s*(?P<all>(?P<number>\d{{1,3}}|[一二三四五六七八九十]{{1,3}})[{WIDE_COMMAS[1]}])(?=\S)"
    r"(?![\d一二三四五六七八九十])"
)
"""1、 begins an item of a list; 一、二年级 does not."""
_RENDERED = re.compile(rf"(?:{'|'.join(dict.fromkeys(_NAMES.values()))}) \d+|\d+\.")


def is_heading(rendering: str) -> bool:
    """True if a protected string is the usual rendering of a heading's number, or a bullet."""
    return _RENDERED.fullmatch(rendering) is not None or is_mark(rendering)


def find_headings(text: str) -> Iterator[Numeral]:
    """The heading's number at the beginning of a text, if there is one; its kind is "heading"."""
    match = _HEADING.match(text) or _ITEM.match(text)
    if match is None or (value := value_of(match["number"])) is None:
        return
    if match.re is _ITEM:
        yield Numeral(match.start("all"), match.end("all"), "heading", (f"{value}.",))
        return
    name = _NAMES[match["name"]]
    renderings = (f"{name} {value}", f"{name.upper()} {value}", f"{name.lower()} {value}")
    yield Numeral(match.start("all"), match.end("all"), "heading", renderings)
