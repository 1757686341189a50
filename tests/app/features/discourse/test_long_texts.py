"""The discourse of hostile texts, which repeat one pattern, is found quickly."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.features.discourse.narration import tense_of
from anaphora.features.discourse.service import examine
from anaphora_text.chinese_words import tagged

LENGTH, MAX_SECONDS = 25_000, 1.5
UNITS = (
    "x", "X", "账", "1", " ", "(", "“", "”", "\"", "Xx ", "Li Ming ", "not ", "only ", "he ", "He said. ",
    "张", "百", "张三说，", "他是工人，", "女儿小满", "王先生", "张三：", "他们的", "、账", "A.", "{1}x{/1}",
)  # fmt: skip
TEXTS: dict[str, Callable[[int], str]] = {
    **{unit: lambda length, unit=unit: (unit * length)[:length] for unit in UNITS},  # type: ignore[misc]
    "opening marks before one closing mark": lambda length: "“" * length + "”",
    "他们 before a long clause": lambda length: "他们" + "账" * length,
    "different capitals": lambda length: "".join(
        f"X{chr(97 + n % 26)}b" + " ,"[n % 2] for n in range(length // 4)
    ),
    "different names": lambda length: "".join(f"张{chr(0x4E00 + n % 3000)}说，" for n in range(length // 4)),
}


@pytest.fixture(autouse=True, scope="module")
def _dictionary() -> None:
    tagged("王强说")


@pytest.mark.slow
@pytest.mark.parametrize("pair", [CHINESE_TO_ENGLISH, LanguagePair("en", "zh")], ids=["zh-en", "en-zh"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_discourse_of_a_long_text_is_found_quickly(text: Callable[[int], str], pair: LanguagePair) -> None:
    long = text(LENGTH)
    texts = (("“他说。", "“He said."), (long, "He said."), ("他说很好。", long), (long, long))
    segments = [
        Segment(str(row), source, SegmentState(target, Status.DRAFT))
        for row, (source, target) in enumerate(texts)
    ]
    begin = time.thread_time()
    examine(segments, pair)
    assert time.thread_time() - begin < MAX_SECONDS


@pytest.mark.slow
def test_the_tense_after_many_adverbs_is_found_quickly() -> None:
    begin = time.thread_time()
    assert tense_of(f"He {'not ' * LENGTH}walked.") == "past"
    assert time.thread_time() - begin < MAX_SECONDS
