"""Segments that are prepared on other cores have the same drafts."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.errors import Cancelled
from anaphora_nmt.native.library import native_library
from anaphora_nmt.types import SourceSegment, Suggestion

pytestmark = pytest.mark.skipif(native_library() is None, reason="the native library is not built")

TEXTS = [
    "账本记录每一笔交易。",
    "每一笔交易都有一个编号，账本按编号排列。",
    "",
    "打开 <b>账本</b>，然后检查所有的交易。",
    "如果编号重复，系统会显示一条警告。",
    "管理员可以删除重复的交易，也可以修改编号。",
    "账本记录每一笔交易。",
    "请在 2024 年 3 月之前完成检查。",
]


@pytest.fixture(scope="module")
def alone() -> Translator:
    return Translator.load(embedded_model(), "cpu", threads=1)


@pytest.fixture(scope="module")
def several() -> Iterator[Translator]:
    translator = Translator.load(embedded_model(), "cpu", threads=2)
    yield translator
    assert any(thread.name.startswith("anaphora-ahead") for thread in threading.enumerate())


def opened(translator: Translator) -> Translator:
    translator.open_document("d", [SourceSegment(str(n), text) for n, text in enumerate(TEXTS)])
    return translator


def work(translator: Translator) -> list[Suggestion]:
    """Draft a document, confirm parts of it, and draft it again in another order."""
    opened(translator)
    made = [translator.translate("d", str(n)) for n in range(len(TEXTS))]
    translator.remember("d", "0", "The register records each transaction.")
    made += [translator.translate("d", str(n)) for n in range(1, len(TEXTS))]
    translator.remember("d", "4", "If numbers are repeated, the system shows a warning.")
    translator.forget("d", "0")
    return made + [translator.translate("d", str(n)) for n in (6, 5, 1, 2, 3, 7)]


def test_prepared_drafts_equal_those_made_one_by_one(alone: Translator, several: Translator) -> None:
    wanted = work(alone)
    assert work(several) == wanted
    assert len({each.text for each in wanted}) > len(set(TEXTS)), "the memory has changed some"


def test_a_waiting_draft_can_be_cancelled_and_waits_briefly(
    several: Translator, alone: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafter, main, go_on = several.corpus().drafter, threading.current_thread(), threading.Event()
    decode = drafter.decode

    def hangs(*given: object) -> object:
        assert threading.current_thread() is main or go_on.wait(60)
        return decode(*given)  # type: ignore[arg-type]

    opened(several)
    with monkeypatch.context() as patch:
        patch.setattr(drafter, "decode", hangs)
        try:
            several.translate("d", "0")
            with pytest.raises(Cancelled):
                several.translate("d", "1", cancel=lambda: True)
            made = several.translate("d", "1").text
            assert not go_on.is_set(), "the draft did not wait"
        finally:
            go_on.set()
    assert made == opened(alone).translate("d", "1").text


def test_errors_during_preparation_do_not_affect_drafts(
    several: Translator, alone: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(several)
    drafter, main = several.corpus().drafter, threading.current_thread()
    decode = drafter.decode

    def breaks(*given: object) -> object:
        if threading.current_thread() is not main:
            raise MemoryError
        return decode(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(drafter, "decode", breaks)
    made = [several.translate("d", str(n)).text for n in range(len(TEXTS))]
    opened(alone)
    assert made == [alone.translate("d", str(n)).text for n in range(len(TEXTS))]


def test_preparations_of_a_closed_document_are_not_used_for_another(
    several: Translator, alone: Translator
) -> None:
    opened(several)
    several.translate("d", "0")
    several.close_document("d")
    for each in (several, alone):
        each.open_document("d", [SourceSegment(str(n), text) for n, text in enumerate(TEXTS[::-1])])
    texts = [[each.translate("d", str(n)).text for n in range(4)] for each in (several, alone)]
    assert texts[0] == texts[1]
    several.close_document("d")
