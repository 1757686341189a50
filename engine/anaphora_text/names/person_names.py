"""Names of Chinese persons in a text and their pinyin spelling: 王强 is Wang Qiang, 陈女士 is Ms. Chen.

jieba's tagger finds candidates, but 张量 (tensor) and 许可 (licence) look like names. A candidate counts only
if it is not a common word, and either stands next to a word for persons (王强说, 李明先生) or begins a clause
in which an action of persons follows it. The surnames are the most frequent ones in the report on the 2020
census.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from anaphora_text.chinese_words import frequency, segmenter, tagged
from anaphora_text.han import HAN, is_han

SINGLE = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许邓冯韩曹曾彭萧肖蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任"
    "姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严赖覃洪武莫孔单解仇查区朴翟"
)
DOUBLE = tuple(
    ["欧阳", "司马", "诸葛", "上官", "皇甫", "尉迟", "公孙", "慕容", "司徒", "令狐", "夏侯", "东方", "长孙"]
)
READ_AS_SURNAME = {
    "单": "shan", "解": "xie", "仇": "qiu", "查": "zha", "区": "ou", "朴": "piao", "曾": "zeng",
    "任": "ren", "尉迟": "yuchi", "长孙": "zhangsun", "翟": "zhai", "覃": "qin",
}  # fmt: skip
"""Pronunciations of surnames that differ from the usual reading of the characters."""


def surname_of(word: str) -> str | None:
    for surname in (word[:2], word[:1]):
        is_surname = surname in DOUBLE if len(surname) == 2 else surname in SINGLE
        if is_surname and 1 <= len(word) - len(surname) <= 2:
            return surname
    return None


@dataclass(frozen=True, slots=True)
class ProperName:
    start: int
    end: int
    rendering: str


_AFTER_APOSTROPHE = "aoe"
"""First letters of syllables that an apostrophe separates from the syllable before, as in Xi'an."""


def spell(surname: str, given: str) -> str:
    return f"{spell_surname(surname)} {spell_word(given)}"


def spell_surname(surname: str) -> str:
    return _join_syllables([READ_AS_SURNAME.get(surname) or "".join(_syllables(surname))])


def spell_word(characters: str) -> str:
    """The pinyin spelling of characters as one word, with the usual readings."""
    return _join_syllables(_syllables(characters))


def _join_syllables(syllables: Iterable[str]) -> str:
    word = ""
    for syllable in syllables:
        is_ambiguous = word and syllable[0] in _AFTER_APOSTROPHE
        word += f"'{syllable}" if is_ambiguous else syllable
    return word.capitalize().replace("ü", "yu")


def _syllables(characters: str) -> list[str]:
    from pypinyin import Style, lazy_pinyin

    return [str(syllable) for syllable in lazy_pinyin(characters, style=Style.NORMAL, v_to_u=True)]


TITLES = {
    "先生": "Mr.", "女士": "Ms.", "小姐": "Miss", "太太": "Mrs.", "夫人": "Mrs.", "教授": "Professor",
    "博士": "Dr.", "医生": "Dr.", "大夫": "Dr.", "经理": "Manager", "主任": "Director", "律师": "Attorney",
    "警官": "Officer",
}  # fmt: skip
_OTHER_TITLES = "老师 董事长 总裁 院长 校长 部长 主席 总统 总理 书记 记者 同志 法官"
_TITLES = "|".join((*TITLES, *_OTHER_TITLES.split()))
_CUE_BEFORE = re.compile(
    rf"(?:(?:{_TITLES}|作者|编者|译者|姓名|联系人|负责人|代表人?|叫|叫做|名为|嫁给|娶了)[：: ]?"
    r"|(?:[甲乙丙]方|买方|卖方|出租人|承租人|委托人|受托人|收件人|发件人)[：:] ?)$"
)
_MAX_CUE = 8
_CUE_AFTER = re.compile(
    rf"{_TITLES}|师傅|同学|说(?![明法服不])|问道|答道|笑着|笑了|笑道|认为|指出|告诉"
    r"|回答说|回忆|坦言|强调|介绍说|[（(]签[字章名]"
)
_ACTS = re.compile(
    r"没有?(?:回答|说话|作声|开口|吭声)|看着|望着|盯着|点了点头|摇了摇头|叹了"
    r"|低声|大声|轻声|连忙|急忙|赶紧|掏出|转身"
)
"""Actions of persons in stories; they count only after a name at the beginning of a clause, because the ends
of foreign names look like Chinese names."""
_MAY_CONTAIN_NAME = re.compile(
    rf"(?:{_CUE_BEFORE.pattern.removesuffix('$')})(?:[{SINGLE}]|{'|'.join(DOUBLE)})"
    rf"|(?:[{SINGLE}][{HAN}]|(?:{'|'.join(DOUBLE)}))[{HAN}]{{0,2}}(?:{_CUE_AFTER.pattern}|{_ACTS.pattern})"
)
"""Matches texts that may contain a name, because the tagger is slow and most texts contain none."""
_MIN_COMMON = 200
_TAG = "nr"


def find_persons(text: str) -> list[ProperName]:
    if not _MAY_CONTAIN_NAME.search(text):
        return []
    persons, end = [], 0
    for name, tag in tagged(text):
        start, end = end, end + len(name)
        surname = surname_of(name) if tag == _TAG else None
        if surname is None or frequency(name) >= _MIN_COMMON or _is_title(name, surname):
            continue
        begins_clause = start == 0 or not is_han(text[start - 1])
        has_cue = _CUE_BEFORE.search(text, max(start - _MAX_CUE, 0), start) or _CUE_AFTER.match(text, end)
        if has_cue or (begins_clause and _ACTS.match(text, end)):
            persons.append(ProperName(start, end, spell(surname, name[len(surname) :])))
    return persons


def _is_title(name: str, surname: str) -> bool:
    return re.fullmatch(_TITLES, name[len(surname) :]) is not None


_SURNAME = rf"{'|'.join(DOUBLE)}|[{SINGLE}]"
_TITLE = "|".join(TITLES)
_TITLED = re.compile(rf"(?P<surname>{_SURNAME})(?P<given>[{HAN}]{{0,2}}?)(?P<title>{_TITLE})")
_SURNAME_WORDS = frozenset("于任曾单解查区方高万")
"""Surnames that are also words or ends of words (有害于律师). They do not count after a Chinese character."""
_COUNT_WORD = re.compile(r"[一二两三四五六七八九十百几这那每某数0-9]$")


def find_titled(text: str, persons: Iterable[ProperName]) -> list[ProperName]:
    """The names before a title of `TITLES`, in order: full names from `persons`, and surnames alone."""
    if not _TITLED.search(text):
        return []
    known = {(name.start, name.end) for name in persons}
    edges = {0, *accumulate(map(len, segmenter().cut(text, HMM=True)))}
    names = []
    for match in _TITLED.finditer(text):
        start, end = match.span()
        surname, given, title = match.group("surname", "given", "title")
        is_name = (start, end - len(title)) in known if given else not _is_word(surname, text, start)
        if not is_name or not {start, end} <= edges:
            continue
        name = spell(surname, given) if given else spell_surname(surname)
        names.append(ProperName(start, end, f"{TITLES[title]} {name}"))
    return names


def _is_word(surname: str, text: str, start: int) -> bool:
    is_inside = start > 0 and is_han(text[start - 1])
    is_counted = _COUNT_WORD.search(text, max(start - 1, 0), start) is not None
    return (surname in _SURNAME_WORDS and is_inside) or is_counted
