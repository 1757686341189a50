"""Numbers that stand in the translation without their unit: 10个工作日 as "10", 五年 as "five", 30% as 30."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache

from anaphora.checks.segment.check import Check, Said, bare, translate
from anaphora.core.language_pair import LanguagePair
from anaphora.core.remarks import RemarkKind
from anaphora_text.numbers.english import said_numbers
from anaphora_text.numbers.readings import NUMBER, Item, number_of
from anaphora_text.numbers.source_numbers import simplified
from anaphora_text.punctuation import CLOSING, WIDE_PAUSES, WIDE_SENTENCE_ENDS

_LONG = r"year|yr|annual|annum|decade|centur|anniversar|biennial|triennial"
_OF_DAYS = rf"(?=[内以前后间之{WIDE_PAUSES}{WIDE_SENTENCE_ENDS}{re.escape(CLOSING)}]|$)"
_UNITS: tuple[tuple[str, str, str], ...] = (
    ("作", r"个?工作日", r"day|week"),
    ("年", rf"年(?=[期来的制保]|{_OF_DAYS})", rf"{_LONG}|month|\b(?:1[5-9]|20)\d\d\b|\b\w+-?aged?\b|old"),
    ("月", r"个月", rf"month|quarter|half|{_LONG}"),
    ("天", rf"天{_OF_DAYS}", r"day|dai|week|fortnight|month|\bhours?\b"),
    ("日", rf"日{_OF_DAYS}", r"day|dai|week|fortnight|month|\bhours?\b"),
    ("时头", r"个?(?:小时|钟头)", r"hour|\bhrs?\b|\d ?h\b|day|minute"),
    ("分", r"分钟", r"minute|\bmins?\b|hour|\d ?m(?:in)?\b|moment"),
    ("秒", r"秒钟?", r"second|\bsecs?\b|\d ?m?s\b"),
    ("美", r"美元|美金", r"dollar|\$|USD|buck"),
    ("欧", r"欧元", r"euro|€|EUR"),
    ("英", r"英镑", r"pound|£|GBP|sterling|quid"),
    ("日", r"日元", r"yen|¥|JPY"),
    ("港", r"港[元币]", r"HK|Hong Kong"),
    ("元钱", r"(?:元|块钱)(?=$|[\W人民币整以的每左])", r"yuan|RMB|CNY|renminbi|¥|\$|dollar|kuai|buck"),
    ("里米", r"公里|千米", r"\bkm|kilomet|\bmet|\d ?k?m\b"),
    ("斤克", r"公斤|千克", r"\bkg|\d ?kg|kilo|\bg\b|gram"),
    ("度", r"(?:摄氏)?度(?=$|[\W以左的])", r"degree|°|º|℃|\bdeg\b|\d ?C\b|Celsius|times?\b|level"),
)
_PERCENT = (
    r"%|per ?cent|pct|half|halv|third|quarter|fifth|tenth|basis point|\bin \d|\d/\d|fold|doubl|tripl|0\.\d"
)
_RULES = (
    *((cues, rf"(?P<number>{NUMBER})[ ]?(?:{unit})", said) for cues, unit, said in _UNITS),
    ("%", rf"(?P<number>{NUMBER})[ ]?%", _PERCENT),
    ("分", rf"百分之(?P<number>{NUMBER})", _PERCENT),
)
"""Characters of which a text has to have one; a number with its unit; what its translation has to have."""
_OF_A_DATE = re.compile(r"月[ ]?$")


MISSING = Check("unit-missing", translate("Quality", "The unit of {0} is missing."), RemarkKind.NUMBERS)
CHECKS = (MISSING,)


@cache
def _patterns(number: str, said: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Those of one rule, made when a text has its characters: all of them take a twentieth of a second."""
    return re.compile(number), re.compile(said, re.IGNORECASE)


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Said]:
    """Only of Chinese in English: of the first number with each unit."""
    if not pair.is_chinese_to_english:
        return
    source, target = bare(source), bare(target)
    plain = simplified(source)
    said: set[Item] | None = None
    there = set(plain)
    for cues, number, translated in _RULES:
        if there.isdisjoint(cues):
            continue
        pattern, word = _patterns(number, translated)
        match = pattern.search(plain)
        if match is None or word.search(target) or _OF_A_DATE.search(plain, 0, match.start()):
            continue
        if said is None:
            said = {item for each in said_numbers(target) for item in each.items}
        value = number_of(match["number"])
        is_one = value == Decimal(1) and not match["number"].isdigit()
        if value in said and not is_one:
            yield MISSING, source[match.start() : match.end()]
