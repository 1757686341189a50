"""The engine frees all memory of closed documents."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "app" / "support"))
from allocated_memory import allocated

from anaphora_nmt.api import Translator
from anaphora_nmt.types import SourceSegment

ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks glibc")
DOCUMENTS, SETTLED = 12, 4


@ON_LINUX
@pytest.mark.slow
def test_closed_documents_leave_nothing_in_the_engine(translator: Translator) -> None:
    early = 0.0
    for number in range(DOCUMENTS):
        texts = [
            f"账本{'保存' * (number % 4 + 1)}每个{what}，共{number}个。" for what in ("交易", "记录", "日志")
        ]
        translator.open_document("d", [SourceSegment(str(place), text) for place, text in enumerate(texts)])
        for place in range(len(texts)):
            draft = translator.translate("d", str(place)).text
            translator.remember("d", str(place), f"{draft} Number {number} of them.")
        translator.close_document("d")
        gc.collect()
        if number == SETTLED - 1:
            early, _ = allocated()
    grown = allocated()[0] - early
    assert grown < 4, f"{grown:.1f} MiB are kept of {DOCUMENTS - SETTLED} documents"
