"""Reading that is given up ends within a few texts, whatever the format, not once its file is parsed."""

from __future__ import annotations

import growing_files
import pytest

from anaphora.core.long_work import CancelledError, LongWork, asking, go_on
from anaphora.formats.registry import read_bytes

TEXTS = 300


@pytest.mark.parametrize("suffix", sorted({*growing_files.TEXTS, *growing_files.IN_PARTS}))
def test_a_file_is_given_up_while_it_is_parsed(suffix: str) -> None:
    give_up(growing_files.of_texts(suffix, TEXTS), suffix)


def test_a_paragraph_is_given_up_between_its_lines() -> None:
    give_up("".join(f"第{number}个节点保存账本的副本。\n" for number in range(TEXTS)).encode(), "md")


def test_each_stage_of_a_long_paragraph_asks_for_each_line() -> None:
    """Its blocks and the rules of its sentences were done without a question: 0.6 s of 20,000 lines."""
    lines = 640
    asked: list[float] = []
    text = "".join(f"第{number}个节点保存账本的副本。\n" for number in range(lines))
    read_bytes(text.encode(), "a.md", step=asked.append)
    assert len(asked) > 8 * lines / 32


def give_up(data: bytes, suffix: str) -> None:
    """Read a file, and give it up at its third step."""
    work = LongWork()
    shares: list[float] = []

    def step(share: float) -> None:
        work.step(share)
        shares.append(share)
        if len(shares) == 3:
            work.cancel()

    with pytest.raises(CancelledError):
        read_bytes(data, f"a.{suffix}", step=step)
    assert len(shares) == 3 and shares == sorted(shares)
    assert shares[-1] < 0.1, "it was parsed as a whole"


def test_nobody_is_asked_outside_of_long_work() -> None:
    work = LongWork()
    work.cancel()
    with pytest.raises(CancelledError), asking(work.step):
        for _ in range(1000):
            go_on()
    for _ in range(1000):
        go_on()
