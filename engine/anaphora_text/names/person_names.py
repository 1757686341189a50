"""Chinese persons' names in a text and their pinyin spelling: 王强 is Wang Qiang.

jieba's tagger finds what may be a name, but 张量 (tensor) and 许可 (licence) look the same: it counts only if
it is no common word and stands beside a word that goes with persons (王强说, 李明先生), or begins a clause in
front of what they do. Foreign names in Chinese characters (汤姆) are left.
"""

from __future__ import annotations

import re

from anaphora_text.chinese_words import frequency, tagged
from anaphora_text.han import HAN, is_han
from anaphora_text.names.surnames import DOUBLE, SINGLE, ProperName, spell, surname_of
from anaphora_text.names.titled_names import TITLES

_OTHER_TITLES = "老师 董事长 总裁 院长 校长 部长 主席 总统 总理 书记 记者 同志 法官"
_TITLES = "|".join((*TITLES, *_OTHER_TITLES.split()))
_BEFORE = re.compile(
    rf"(?:(?:{_TITLES}|作者|编者|译者|姓名|联系人|负责人|代表人?|叫|叫做|名为|嫁给|娶了)[：: ]?"
    r"|(?:[甲乙丙]方|买方|卖方|出租人|承租人|委托人|受托人|收件人|发件人)[：:] ?)$"
)
_AFTER = re.compile(
    rf"{_TITLES}|师傅|同学|说(?![明法服不])|问道|答道|笑着|笑了|笑道|认为|指出|告诉"
    r"|回答说|回忆|坦言|强调|介绍说|[（(]签[字章名]"
)
_ACTS = re.compile(
    r"没有?(?:回答|说话|作声|开口|吭声)|看着|望着|盯着|点了点头|摇了摇头|叹了"
    r"|低声|大声|轻声|连忙|急忙|赶紧|掏出|转身"
)
"""What persons do in stories: it counts behind a name that begins a clause, as foreign names end alike."""
_MAYBE = re.compile(
    rf"(?:{_BEFORE.pattern.removesuffix('$')})(?:[{SINGLE}]|{'|'.join(DOUBLE)})"
    rf"|(?:[{SINGLE}][{HAN}]|(?:{'|'.join(DOUBLE)}))[{HAN}]{{0,2}}(?:{_AFTER.pattern}|{_ACTS.pattern})"
)
"""What a text with a name matches: the tagger is slow, and most texts have none."""
_COMMON = 200
"""Occurrences in jieba's dictionary from which on a word is taken for no name."""
_TAG = "nr"


def find_persons(text: str) -> list[ProperName]:
    """The Chinese persons' names in a text, in order."""
    if not _MAYBE.search(text):
        return []
    found, at = [], 0
    for word in tagged(text):
        name, start, at = word.word, at, at + len(word.word)
        surname = surname_of(name) if word.flag == _TAG else None
        if surname is None or frequency(name) >= _COMMON or _is_title(name, surname):
            continue
        begins = start == 0 or not is_han(text[start - 1])
        if _BEFORE.search(text, 0, start) or _AFTER.match(text, at) or (begins and _ACTS.match(text, at)):
            found.append(ProperName(start, at, spell(surname, name[len(surname) :])))
    return found


def _is_title(name: str, surname: str) -> bool:
    """王经理 and 陈老师: a surname with a title, which English puts before it."""
    return re.fullmatch(_TITLES, name[len(surname) :]) is not None
