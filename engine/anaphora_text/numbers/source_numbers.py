"""All numbers of a Chinese text, with their possible translations."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from anaphora_text.numbers.amount_readings import AMOUNT_RULES
from anaphora_text.numbers.readings import NUMBER_RULES, Reading
from anaphora_text.numbers.time_readings import FEAST_RULES, TIME_RULES

_RULES = (*TIME_RULES, *AMOUNT_RULES, *FEAST_RULES, *NUMBER_RULES)
_SIMPLIFIED = str.maketrans(
    "億萬點時鐘幾餘來個號紀週兩數間禮後內釐畝雙對塊參叄貳陸圓級錢價導徑長於過滿經許準請無應會遲嚴難達為歐韓鎊銖盧噸攝華",
    "亿万点时钟几余来个号纪周两数间礼后内厘亩双对块叁叁贰陆元级钱价导径长于过满经许准请无应会迟严难达为欧韩镑铢卢吨摄华",
)
_FINANCIAL = re.compile("[壹贰叁肆伍陆柒捌玖拾佰仟零万亿]{2,}|[壹贰叁肆伍陆柒捌玖拾](?=[元角分])")
"""Financial numerals; 陆, 伍 and 拾 alone are words."""
_PLAIN = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千")


@lru_cache(maxsize=16)  # several checks read the same text
def read_numbers(text: str) -> tuple[Reading, ...]:
    """The numbers of a Chinese text, in order. The text must be `narrowed`; it may be traditional.

    The first rule that can read a part of the text reads it, and the other rules skip this part.
    """
    readings: list[Reading] = []
    plain = simplified(text)
    characters = set(plain)
    for cues, pattern, read in _RULES:
        if characters.isdisjoint(cues):
            continue
        parts: list[str] = []
        last_end = 0
        for match in pattern.finditer(plain):
            if (reading := read(match)) is not None:
                start, end = match.span()
                parts += (plain[last_end:start], "\0" * (end - start))
                last_end = end
                readings.append(replace(reading, text=text[reading.start : reading.end]))
        plain = "".join((*parts, plain[last_end:]))
    return tuple(sorted(readings, key=lambda reading: reading.start))


def simplified(text: str) -> str:
    """The text with simplified characters in numbers and in words beside them; its length does not change."""
    return _FINANCIAL.sub(lambda match: match.group().translate(_PLAIN), text.translate(_SIMPLIFIED))
