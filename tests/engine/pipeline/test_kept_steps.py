"""What a search of a sentence found is of use to the next search of it, also of a long one."""

from __future__ import annotations

import time

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.native.library import native_library
from anaphora_nmt.types import SearchOptions, SourceSegment

pytestmark = pytest.mark.skipif(native_library() is None, reason="the native library is not built")

LONG = (
    "管理员可以删除重复的交易，也可以修改编号，但是每一次修改都会记录在账本里，以便审计人员在年度检查时"
    "能够看到是谁在什么时候出于什么原因改变了哪一笔交易的金额和日期。"
)


def test_a_long_sentence_is_drafted_again_in_less_time() -> None:
    translator = Translator.load(embedded_model(), "cpu", threads=1)
    translator.open_document("d", [SourceSegment("0", LONG)])
    drafter, memory = translator._drafter, translator._documents["d"].memory.before(0)
    source = translator._documents["d"].source(0)

    def seconds() -> float:
        begun = time.thread_time()
        drafter.draft([source], [memory], SearchOptions(beam_size=10))
        return time.thread_time() - begun

    seconds()
    first, again = [], []
    for _ in range(3):  # the least of three: other programs disturb some
        drafter.forget()
        first.append(seconds())
        again.append(seconds())
    assert min(again) < min(first) * 2 / 3
