"""Persons who are named with a title: 陈女士 is Ms. Chen, 张伟先生 Mr. Zhang Wei, 李教授 Professor Li.

Titles whose English depends on the office or the person (主席, 老师), or that stories give to foreigners
(将军), are left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate

from anaphora_text.chinese_words import segmenter
from anaphora_text.han import HAN, is_han
from anaphora_text.names.surnames import DOUBLE, SINGLE, ProperName, spell, spell_surname

TITLES = {
    "先生": "Mr.", "女士": "Ms.", "小姐": "Miss", "太太": "Mrs.", "夫人": "Mrs.", "教授": "Professor",
    "博士": "Dr.", "医生": "Dr.", "大夫": "Dr.", "经理": "Manager", "主任": "Director", "律师": "Attorney",
    "警官": "Officer",
}  # fmt: skip
_SURNAME = rf"{'|'.join(DOUBLE)}|[{SINGLE}]"
_TITLE = "|".join(TITLES)
_TITLED = re.compile(rf"(?P<surname>{_SURNAME})(?P<given>[{HAN}]{{0,2}}?)(?P<title>{_TITLE})")
_WORDS = frozenset("于任曾单解查区方高万")
"""Surnames that end words, or are words: 有害于律师. They count behind a sign only."""
_COUNTED = re.compile(r"[一二两三四五六七八九十百几这那每某数0-9]$")
"""Before 张, which counts sheets, too."""


def find_titled(text: str, persons: Iterable[ProperName]) -> list[ProperName]:
    """The names with a title in a text, in order; without a full name of `persons` a title goes with a
    surname."""
    if not _TITLED.search(text):
        return []
    known = {(name.start, name.end) for name in persons}
    edges = {0, *accumulate(map(len, segmenter().cut(text, HMM=True)))}
    found = []
    for match in _TITLED.finditer(text):
        start, end = match.span()
        surname, given, title = match.group("surname", "given", "title")
        is_name = (start, end - len(title)) in known if given else not _is_word(surname, text, start)
        if not is_name or not {start, end} <= edges:
            continue
        name = spell(surname, given) if given else spell_surname(surname)
        found.append(ProperName(start, end, f"{TITLES[title]} {name}"))
    return found


def _is_word(surname: str, text: str, start: int) -> bool:
    """Whether a surname that stands alone before a title may be another word there."""
    within = start > 0 and is_han(text[start - 1])
    return (surname in _WORDS and within) or _COUNTED.search(text, 0, start) is not None
