"""A plugin of pytest that says which tests take most processor time, theirs and their processes'.

    PYTHONPATH=tests/benchmarks python -m pytest -p processor_time --most 20 TEST …

Shared fixtures count for the test that is first to ask for them. Of processes that outlive their test nothing
is counted. With `-n` each process would speak for itself: leave it out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

SPENT = pytest.StashKey[dict[str, float]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare `--most`."""
    parser.addoption("--most", type=int, default=20, help="so many tests are named")


def pytest_configure(config: pytest.Config) -> None:
    """Begin to count."""
    config.stash[SPENT] = {}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Count what a test takes, with what is made for it and cleared away."""
    before = sum(os.times()[:4])
    yield
    item.config.stash[SPENT][item.nodeid] = sum(os.times()[:4]) - before


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the sum, and the tests that take most."""
    spent = config.stash[SPENT]
    terminalreporter.write_line(f"{sum(spent.values()):.1f} s of processor time, {len(spent)} tests")
    for name, seconds in sorted(spent.items(), key=lambda each: -each[1])[: config.option.most]:
        terminalreporter.write_line(f"{seconds:7.2f} s  {name}")
