"""Signals that end a run take effect when the run checks for them."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from multiprocessing.connection import wait

import pytest

from anaphora.cli.batch.pool import Interrupts


@pytest.fixture(autouse=True)
def as_in_a_terminal() -> Iterator[None]:
    """Restore the handler, because tests in the background of a shell ignore Ctrl+C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_the_first_signal_waits_and_the_second_one_raises() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interrupts() as interrupts:
        interrupts.check()
        assert not wait([interrupts.received], 0)
        signal.raise_signal(signal.SIGINT)
        assert wait([interrupts.received], 0)
        with pytest.raises(KeyboardInterrupt):
            interrupts.check()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        interrupts.end()
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_ignored_signals_stay_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Interrupts() as interrupts:
        signal.raise_signal(signal.SIGINT)
        interrupts.check()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_the_awaited_connection_is_read_only() -> None:
    with Interrupts() as interrupts:
        assert interrupts.received.readable and not interrupts.received.writable
    assert interrupts.received.closed
