"""Chinese persons' names in a text and their pinyin spelling: 王强 is Wang Qiang.

jieba's tagger finds what may be a name, a surname with a given name of one or two characters; but 张量
(tensor) and 许可 (licence) look the same, so it counts as one only if it is no common word of jieba's
dictionary and stands beside a word that goes with persons (王强说, 李明先生). Foreign names in Chinese
characters (汤姆) are left: pinyin does not spell them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from anaphora_nmt.text.han import HAN
from anaphora_nmt.text.protect import ProperName
from anaphora_nmt.text.words import segmenter

# The hundred commonest surnames of the 2020 census' report, with those that are read otherwise than as words.
_SINGLE = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许邓冯韩曹曾彭萧肖蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任"
    "姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严赖覃洪武莫孔"
    "单解仇查区朴翟"
)
_DOUBLE = (
    "欧阳",
    "司马",
    "诸葛",
    "上官",
    "皇甫",
    "尉迟",
    "公孙",
    "慕容",
    "司徒",
    "令狐",
    "夏侯",
    "东方",
    "长孙",
)
_READ_AS_SURNAME = {
    "单": "shan", "解": "xie", "仇": "qiu", "查": "zha", "区": "ou", "朴": "piao", "曾": "zeng",
    "任": "ren", "尉迟": "yuchi", "长孙": "zhangsun", "翟": "zhai", "覃": "qin",
}  # fmt: skip
_TITLES = (
    "先生|女士|小姐|教授|博士|老师|经理|主任|董事长|总裁|院长|校长|部长|主席|"
    "总统|总理|书记|律师|记者|医生|同志|法官"
)
_BEFORE = re.compile(
    rf"(?:(?:{_TITLES}|作者|编者|译者|姓名|联系人|负责人|代表人?|叫|叫做|名为|嫁给|娶了)[：: ]?"
    r"|(?:[甲乙丙]方|买方|卖方|出租人|承租人|委托人|受托人|收件人|发件人)[：:] ?)$"
)
_AFTER = re.compile(
    rf"{_TITLES}|太太|夫人|师傅|同学|说(?![明法服不])|问道|答道|笑着|笑了|笑道|认为|指出|告诉"
    r"|回答说|回忆|坦言|强调|介绍说|[（(]签[字章名]"
)
_MAYBE = re.compile(
    rf"(?:{_BEFORE.pattern.removesuffix('$')})(?:[{_SINGLE}]|{'|'.join(_DOUBLE)})"
    rf"|(?:[{_SINGLE}][{HAN}]|(?:{'|'.join(_DOUBLE)}))[{HAN}]{{0,2}}(?:{_AFTER.pattern})"
)
"""What a text with a name matches: the tagger is slow, and most texts have none."""
_COMMON = 200
"""Occurrences in jieba's dictionary from which on a word is taken for no name."""
_TAG = "nr"
_SYLLABLE_BEFORE_APOSTROPHE = "aoe"


def find_persons(text: str) -> list[ProperName]:
    """The Chinese persons' names in a text, in order."""
    if not _MAYBE.search(text):
        return []
    found, at = [], 0
    for word in _tagger().cut(text):
        name, start, at = word.word, at, at + len(word.word)
        surname = _surname(name) if word.flag == _TAG else None
        if surname is None or segmenter().FREQ.get(name, 0) >= _COMMON or _is_title(name, surname):
            continue
        if _BEFORE.search(text, 0, start) or _AFTER.match(text, at):
            found.append(ProperName(start, at, spell(surname, name[len(surname) :])))
    return found


def _is_title(name: str, surname: str) -> bool:
    """王经理 and 陈老师: a surname with a title, which English puts before it."""
    return re.fullmatch(_TITLES, name[len(surname) :]) is not None


def spell(surname: str, given: str) -> str:
    """Pinyin of a name as passports write it: 吕建安 is Lyu Jian'an."""
    first = _READ_AS_SURNAME.get(surname) or "".join(_syllables(surname))
    second = ""
    for syllable in _syllables(given):
        apart = second and syllable[0] in _SYLLABLE_BEFORE_APOSTROPHE
        second += f"'{syllable}" if apart else syllable
    return f"{first.capitalize()} {second.capitalize()}".replace("ü", "yu")


def _surname(word: str) -> str | None:
    """The surname that a word begins with, if one or two characters of a given name follow."""
    for surname in (word[:2], word[:1]):
        known = surname in _DOUBLE if len(surname) == 2 else surname in _SINGLE
        if known and 1 <= len(word) - len(surname) <= 2:
            return surname
    return None


def _syllables(characters: str) -> list[str]:
    from pypinyin import Style, lazy_pinyin

    return [str(syllable) for syllable in lazy_pinyin(characters, style=Style.NORMAL, v_to_u=True)]


@cache
def _tagger() -> Any:
    from jieba import posseg

    return posseg.POSTokenizer(segmenter())
