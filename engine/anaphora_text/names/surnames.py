"""Chinese surnames: the commonest of the 2020 census' report, and some with a reading of their own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

SINGLE = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许邓冯韩曹曾彭萧肖蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任"
    "姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严赖覃洪武莫孔"
    "单解仇查区朴翟"
)
DOUBLE = tuple(
    ["欧阳", "司马", "诸葛", "上官", "皇甫", "尉迟", "公孙", "慕容", "司徒", "令狐", "夏侯", "东方", "长孙"]
)
READ_AS_SURNAME = {
    "单": "shan", "解": "xie", "仇": "qiu", "查": "zha", "区": "ou", "朴": "piao", "曾": "zeng",
    "任": "ren", "尉迟": "yuchi", "长孙": "zhangsun", "翟": "zhai", "覃": "qin",
}  # fmt: skip


def surname_of(word: str) -> str | None:
    """The surname that a word begins with, if one or two characters of a given name follow."""
    for surname in (word[:2], word[:1]):
        known = surname in DOUBLE if len(surname) == 2 else surname in SINGLE
        if known and 1 <= len(word) - len(surname) <= 2:
            return surname
    return None


@dataclass(frozen=True, slots=True)
class ProperName:
    """A name in a text, where it stands and as English writes it."""

    start: int
    end: int
    rendering: str


_SYLLABLE_BEFORE_APOSTROPHE = "aoe"


def spell(surname: str, given: str) -> str:
    return f"{spell_surname(surname)} {spell_word(given)}"


def spell_surname(surname: str) -> str:
    """A surname, as it is read as one: 单 is Shan."""
    return _joined([READ_AS_SURNAME.get(surname) or "".join(_syllables(surname))])


def spell_word(characters: str) -> str:
    return _joined(_syllables(characters))


def _joined(syllables: Iterable[str]) -> str:
    """One word with a capital; ü is yu, as in passports."""
    word = ""
    for syllable in syllables:
        apart = word and syllable[0] in _SYLLABLE_BEFORE_APOSTROPHE
        word += f"'{syllable}" if apart else syllable
    return word.capitalize().replace("ü", "yu")


def _syllables(characters: str) -> list[str]:
    from pypinyin import Style, lazy_pinyin

    return [str(syllable) for syllable in lazy_pinyin(characters, style=Style.NORMAL, v_to_u=True)]
