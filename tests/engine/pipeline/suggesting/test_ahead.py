"""Segments that are worked on ahead, on other cores, have the drafts that they have one by one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
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
    assert translator._maker._ahead is not None and translator._maker._ahead._pool is not None


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


def test_drafts_are_those_that_are_made_one_by_one(alone: Translator, several: Translator) -> None:
    wanted = work(alone)
    assert work(several) == wanted
    assert len({each.text for each in wanted}) > len(set(TEXTS)), "the memory has changed some"


def test_a_draft_that_waits_can_be_cancelled_and_does_not_wait_long(
    several: Translator, alone: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(several)
    several.translate("d", "0")
    ahead = several._maker._ahead
    assert ahead is not None
    begun = ahead._begun[next(key for key in ahead._begun if key[1] == 1)]
    begun.done.result(30)
    begun.done = Future()  # one that does not end
    begun.done.set_running_or_notify_cancel()
    key = next(key for key in ahead._begun if key[1] == 1)
    with pytest.raises(Cancelled):
        several.translate("d", "1", cancel=lambda: True)
    assert begun.stop.is_set()
    begun.stop.clear()
    ahead._begun[key] = begun
    assert several.translate("d", "1").text == opened(alone).translate("d", "1").text
    assert begun.stop.is_set(), "it went on by itself"


def test_what_goes_wrong_ahead_is_not_a_draft_s_fault(
    several: Translator, alone: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(several)
    decode, main = several._drafter.decode, threading.current_thread()

    def breaks(*given: object) -> object:
        if threading.current_thread() is not main:
            raise MemoryError
        return decode(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(several._drafter, "decode", breaks)
    made = [several.translate("d", str(n)).text for n in range(len(TEXTS))]
    opened(alone)
    assert made == [alone.translate("d", str(n)).text for n in range(len(TEXTS))]


def test_a_closed_document_is_worked_on_no_more_and_nothing_of_it_is_kept(several: Translator) -> None:
    opened(several)
    several.translate("d", "0")
    ahead = several._maker._ahead
    assert ahead is not None
    begun = [*ahead._begun.values()]
    assert begun
    several.close_document("d")
    assert all(each.stop.is_set() for each in begun)
    for each in begun:
        if not each.done.cancelled():
            each.done.result(30)
    assert not ahead._begun
    opened(several)
    several.translate("d", "0")
    several.close_document("d")
    assert "账本" not in str([*several._drafter._encoded])
