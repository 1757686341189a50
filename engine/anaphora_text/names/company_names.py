"""Companies that a document names: 北京远山科技有限公司 is Beijing Yuanshan Technology Co., Ltd.

Such a name is a place, a name of its own in pinyin, what the company does, and its form. It counts only if
all of it is understood and its beginning is sure: a known place, a sign in front, or the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from anaphora_text.chinese_words import frequency, segmenter, word_class
from anaphora_text.han import is_han
from anaphora_text.names.found import ProperName
from anaphora_text.names.pinyin import spell_word
from anaphora_text.punctuation import COLONS, OPENING, ROUND_BRACKET_PAIRS

_FORM = re.compile("(?:股份|集团股份)?有限(?:责任)?公司")
BUSINESS = {
    "科技": "Technology", "技术": "Technology", "信息": "Information", "信息技术": "Information Technology",
    "网络": "Network", "互联网": "Internet", "软件": "Software", "数据": "Data", "智能": "Intelligent",
    "电子": "Electronics", "电子商务": "E-Commerce", "电器": "Electric Appliances", "电气": "Electric",
    "电力": "Electric Power", "机械": "Machinery", "机电": "Mechanical and Electrical", "设备": "Equipment",
    "仪器": "Instruments", "制造": "Manufacturing", "贸易": "Trading", "商贸": "Trading",
    "国际贸易": "International Trading", "进出口": "Import and Export", "国际": "International",
    "投资": "Investment", "置业": "Real Estate", "房地产": "Real Estate", "地产": "Real Estate",
    "房地产开发": "Real Estate Development", "开发": "Development", "建筑": "Construction",
    "建设": "Construction", "工程": "Engineering", "建材": "Building Materials", "装饰": "Decoration",
    "设计": "Design", "物流": "Logistics", "运输": "Transport", "货运": "Freight", "供应链": "Supply Chain",
    "食品": "Food", "饮料": "Beverage", "餐饮": "Catering", "餐饮管理": "Catering Management",
    "服装": "Garment", "服饰": "Apparel", "纺织": "Textile", "家具": "Furniture",
    "家居": "Home Furnishings", "医药": "Pharmaceutical", "制药": "Pharmaceutical",
    "药业": "Pharmaceutical", "医疗": "Medical", "医疗器械": "Medical Devices", "生物": "Biological",
    "生物科技": "Biotechnology", "生物技术": "Biotechnology", "化工": "Chemical", "化学": "Chemical",
    "材料": "Materials", "新材料": "New Materials", "塑料": "Plastics", "五金": "Hardware",
    "钢铁": "Iron and Steel", "能源": "Energy", "新能源": "New Energy", "环保": "Environmental Protection",
    "汽车": "Automobile", "传媒": "Media", "文化": "Culture", "文化传播": "Culture Communication",
    "传播": "Communication", "广告": "Advertising", "咨询": "Consulting", "管理": "Management",
    "企业管理": "Enterprise Management", "服务": "Services", "物业": "Property", "教育": "Education",
    "旅游": "Tourism", "保险": "Insurance", "证券": "Securities", "金融": "Financial", "租赁": "Leasing",
    "印刷": "Printing", "包装": "Packaging", "实业": "Industrial", "工业": "Industrial",
    "工贸": "Industry and Trade", "集团": "Group", "控股": "Holding", "发展": "Development",
    "农业": "Agriculture", "酒店": "Hotel", "酒店管理": "Hotel Management", "通信": "Communications",
    "通讯": "Communications", "航空": "Aviation", "船舶": "Shipbuilding", "玩具": "Toys", "钟表": "Watches",
    "珠宝": "Jewellery", "计算机": "Computer", "系统": "Systems", "自动化": "Automation",
    "光电": "Optoelectronics", "半导体": "Semiconductor", "计算机系统": "Computer Systems",
}  # fmt: skip
"""What companies do."""
_NO_NAME = frozenset("的了一二三两几各某该本此这那个和与及或等是为在有由其我你他她它贵外内合独国")
"""Characters that a company's own name is not made of, as any words may stand in front of it."""
_OTHER_TAGS = ("v", "p", "c", "d", "u", "r", "m", "q")
_OPENED, _CLOSED = ("".join(ends) for ends in zip(*ROUND_BRACKET_PAIRS, strict=True))
_IN_FRONT = frozenset(COLONS + OPENING)
"""Signs behind which a name without a place begins; else it is the whole text."""
_COMMON = 200
"""Occurrences in jieba's dictionary from which on a noun is taken for no name."""
_SHORTEST, _LONGEST = 2, 4
_BRANCH = 3
"""Words of a place in brackets."""


def find_companies(text: str, names: Mapping[str, str]) -> list[ProperName]:
    """The companies in a text, in order; `names`: renderings of places and of well-known names."""
    if not _FORM.search(text):
        return []
    words, starts, at = list(segmenter().cut(text, HMM=False)), list[int](), 0
    for word in words:
        starts.append(at)
        at += len(word)
    found = []
    for match in _FORM.finditer(text):
        if match.start() in starts:
            before = starts.index(match.start())
            name = _read(words[:before], names, match.end() == len(text))
            if name is not None:
                first, english = name
                found.append(ProperName(starts[first], match.end(), f"{english} Co., Ltd."))
    return found


def _read(words: Sequence[str], names: Mapping[str, str], ends_text: bool) -> tuple[int, str] | None:
    """Which of the words in front of a company's form is the first of its name, and their English."""
    english, at = _business(words)
    branch = _branch(words[:at], names)
    if branch:
        english, at = [f"({branch})", *english], at - _BRANCH
    own, at = _own_name(words[:at], names)
    if not own or not english or (own not in names and own[:_SHORTEST] in names):
        return None
    english = [names.get(own) or spell_word(own), *english]
    if at and (place := names.get(words[at - 1])):
        return at - 1, " ".join([place, *english])
    begins = words[at - 1][-1] in _IN_FRONT if at else ends_text
    return (at, " ".join(english)) if begins else None


def _branch(words: Sequence[str], names: Mapping[str, str]) -> str | None:
    """The place in brackets that words end with: 远山（北京）."""
    if len(words) <= _BRANCH or words[-1] not in _CLOSED or words[-3] not in _OPENED:
        return None
    return names.get(words[-2])


def _own_name(words: Sequence[str], names: Mapping[str, str]) -> tuple[str, int]:
    """The name of its own that words end with, or an empty one, and where it begins."""
    own, at = "", len(words)
    while at and len(own) + len(words[at - 1]) <= _LONGEST and _is_part(words[at - 1]):
        is_place = words[at - 1] in names
        if is_place and (
            own or (at > 1 and words[at - 2] not in names and words[at - 2][-1] not in _IN_FRONT)
        ):
            break
        at -= 1
        own = words[at] + own
        if is_place:
            break
    return (own, at) if len(own) >= _SHORTEST else ("", len(words))


def _business(words: Sequence[str]) -> tuple[list[str], int]:
    """What a company does, in English, and where the words for it begin."""
    english: list[str] = []
    at = len(words)
    while at and (word := BUSINESS.get(words[at - 1])):
        english.insert(0, word)
        at -= 1
    return english, at


def _is_part(word: str) -> bool:
    """Whether a word may be of a company's own name: no verb, no function word and no common noun."""
    tag = word_class(word)
    is_common = len(word) > 1 and tag == "n" and frequency(word) >= _COMMON
    is_name = all(map(is_han, word)) and _NO_NAME.isdisjoint(word)
    return is_name and not is_common and not tag.startswith(_OTHER_TAGS)
