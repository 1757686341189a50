"""What a search of a sentence found is of use to the next search of it, also of a long one."""

from __future__ import annotations

import time
from typing import Any

import pytest
import torch

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


@torch.inference_mode()
def test_a_sentence_is_encoded_once_though_its_halves_were_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    drafter = Translator.load(embedded_model(), "cpu", threads=1)._drafter
    base, asked = drafter.writer.base, []
    encode = base.encode

    def counted(*given: Any) -> Any:
        asked.append(given)
        return encode(*given)

    monkeypatch.setattr(base, "encode", counted)
    whole = [2, *range(10, 30), 3]
    for lines in ([whole], [whole[:11], whole[11:]], [whole]):
        drafter.encode(lines)
    assert len(asked) == 2
