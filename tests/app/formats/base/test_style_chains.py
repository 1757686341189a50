"""Styles that are based on others, in chains of any length and in circles."""

from __future__ import annotations

import time

from anaphora.formats.base.style_chains import inheriting


def test_the_nearest_style_that_says_something_counts() -> None:
    styles = {
        "hides": (True, ""), "child": (None, "hides"), "shows": (False, "hides"),
        "grandchild": (None, "shows"), "far": (None, "child"), "lost": (None, "nowhere"),
        "outside": (None, "known"),
    }  # fmt: skip
    assert inheriting(styles, frozenset(("known",))) == {"hides", "child", "far", "outside", "known"}


def test_circles_and_long_chains_take_linear_time() -> None:
    count = 100_000
    circle: dict[str, tuple[bool | None, str]] = {str(n): (None, str((n + 1) % count)) for n in range(count)}
    begun = time.process_time()
    assert not inheriting(circle)
    assert len(inheriting({**circle, "0": (True, "")})) == count
    assert time.process_time() - begun < 5
