"""Chinese names in pinyin, as passports and letterheads write them: 吕建安 is Lyu Jian'an, 远山 Yuanshan."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora_text.names.surnames import READ_AS_SURNAME

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
