"""The number of calls for a confirmation in the window's thread, with many waiting and confirmed segments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import pytest
from confirming import confirm_row
from counted_calls import calls_of

from anaphora.features.checks.feature import Checks
from anaphora.features.drafting.feature import Drafting
from anaphora.window.main_window import MainWindow

NOUNS = ("账本", "节点", "缓存", "区块", "交易", "记录", "合约", "通道", "证书", "策略")
VERBS = ("保存", "读取", "更新", "发送", "检查")


@pytest.fixture
def make_long(qtbot, make_window: Callable[..., MainWindow], tmp_path: Path) -> Callable[[int], MainWindow]:
    """Makes a window with a document of different lines, whose drafts wait."""

    def make(lines: int) -> MainWindow:
        texts = [f"{first}{verb}{second}" for verb in VERBS for first in NOUNS for second in NOUNS]
        pairs = ((n % 500, (n * 7 + n // 500) % 500) for n in range(lines))
        path = tmp_path / "long.zh.txt"
        path.write_text("".join(f"{texts[one]}，{texts[other]}。\n" for one, other in pairs), "utf-8")
        window = make_window(path=path)
        window.of(Drafting).service.set_paused(True)
        return window

    return make


def least_calls(qtbot, window: MainWindow, rows: Iterable[int]) -> int:
    """The minimum number of calls of several confirmations, without timers and answers of the engine."""
    counted = []
    for row in rows:
        qtbot.waitUntil(lambda: not window.controller.tasks.is_busy, timeout=60000)
        counted.append(calls_of(partial(confirm_row, window, row)))
    return min(counted)


@pytest.mark.slow
@pytest.mark.usefixtures("garbage_at_rest")
def test_many_confirmed_segments_do_not_slow_a_confirmation(qtbot, make_long) -> None:
    """The limit for users is 30 ms after 5,000 confirmations."""
    window = make_long(650)
    tasks, checking = window.controller.tasks, window.of(Checks).service
    alone = least_calls(qtbot, window, range(630, 636))
    editing, segments = window.controller.editing, [segment.id for segment in window.session.document]
    for number, segment in enumerate(segments[:620]):
        editing.type_text(segment, f"What segment {number} says in English.")
        assert editing.confirm(segment)
    qtbot.waitUntil(lambda: checking.is_complete and not tasks.is_busy, timeout=300_000)
    behind_many = least_calls(qtbot, window, range(636, 642))
    assert behind_many < 1.25 * alone, f"{alone} calls, behind many {behind_many}"
