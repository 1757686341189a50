"""Contract terms are drafted in the contract's way: parties, sums, dates."""

from __future__ import annotations

from anaphora_nmt.api import Translator
from anaphora_nmt.types import SearchOptions

SENTENCES = {
    "甲方应在收到货物后五个工作日内付清余款。": ["Party A"],
    "如乙方违约，应向甲方支付人民币三十七万元。": ["Party A", "Party B", "RMB 370,000"],
    "承租人应按月支付租金五千元。": ["5,000 yuan"],
    "本合同于二〇二五年六月三十日签订。": ["June 30, 2025"],
}


def test_drafts_have_parties_sums_and_dates(translator: Translator) -> None:
    (drafts,) = translator.corpus().translate([list(SENTENCES)], SearchOptions())
    for draft, named in zip(drafts, SENTENCES.values(), strict=True):
        assert [name for name in named if name not in draft] == []


def test_the_number_of_an_article_stays_first(translator: Translator) -> None:
    sources = ["第四条 货物的质量应符合国家标准。", "第 2 步：打开文件。", "第十二章 总则"]
    (drafts,) = translator.corpus().translate([sources], SearchOptions())
    for draft, number in zip(drafts, ("Article 4 ", "Step 2: ", "Chapter 12 "), strict=True):
        assert draft.startswith(number) and len(draft) > len(number)
        assert draft.count(number.strip(" :")) == 1
