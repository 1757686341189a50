"""Shared parts of the app's tests: the double of the engine, and a window on it in a separate folder."""

from __future__ import annotations

import functools
import gc
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot
    from pytestqt.wait_signal import SignalBlocker

    from anaphora.features.dictionary.entries import Dictionary
    from anaphora.window.main_window import MainWindow

sys.path.insert(0, str(Path(__file__).parent / "support"))

SENTENCES = (
    "账本保存每个交易。",
    "每个节点读取账本。",
    "我们需要更新缓存。",
    "缓存保存世界状态。",
    "账本是区块的记录。",
    "节点更新缓存和账本。",
    "这个缓存在节点。",
    "我们读取每个区块的记录。",
    "交易更新世界状态。",
    "账本和缓存保存记录。",
    "节点需要读取缓存。",
    "每个区块保存交易。",
)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """A failing window test prints the state of every thread and the engine's queue."""
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    if report.when in ("call", "teardown") and report.failed and "qtbot" in getattr(item, "fixturenames", ()):
        from diagnosis import threads_and_windows

        report.sections.append(("Threads and windows", threads_and_windows()))


@pytest.fixture(scope="session")
def waiters() -> list[SignalBlocker]:
    """Signal waiters, kept: Qt still delivers a signal that another thread has queued.

    PySide calls the waiter's method then, though nothing refers to it any more.
    """
    return []


@pytest.fixture
def qtbot(qtbot: QtBot, waiters: list[SignalBlocker], monkeypatch: pytest.MonkeyPatch) -> Iterator[QtBot]:
    """It goes on waiting while a condition has nothing to look at: a table that is being filled again."""
    known, wait, wait_until = len(waiters), qtbot.waitSignal, qtbot.waitUntil

    def wait_until_it_holds(holds: Callable[[], bool | None], *, timeout: int = 5000) -> None:
        def does_hold() -> bool | None:
            try:
                return holds()
            except (AttributeError, LookupError, TypeError) as error:  # of None, or of an empty list
                raise AssertionError("it cannot be asked yet") from error

        wait_until(does_hold, timeout=timeout)

    def wait_and_keep(*signal: Any, **how: Any) -> SignalBlocker:
        waiters.append(wait(*signal, **how))
        return waiters[-1]

    monkeypatch.setattr(qtbot, "waitSignal", wait_and_keep)
    monkeypatch.setattr(qtbot, "waitUntil", wait_until_it_holds)
    yield qtbot
    for waiter in waiters[known:]:
        waiter.args = None  # releases the arguments of the signal


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The app's own files go to the test's folder."""
    folder = tmp_path / "anaphora-data"
    monkeypatch.setenv("ANAPHORA_DATA", str(folder))
    return folder


@pytest.fixture(scope="session", autouse=True)
def dictionaries_read_once() -> Iterator[None]:
    """Windows share the dictionaries that they would read one by one: a second of each test of a window."""
    from anaphora.features.dictionary.entries import Dictionary
    from anaphora.features.spelling import speller

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(speller, "read_hunspell", functools.cache(speller.read_hunspell))
        patch.setattr(Dictionary, "read", functools.cache(Dictionary.read))
        yield


@pytest.fixture
def garbage_at_rest() -> Iterator[None]:
    """Python looks for no old garbage, as in the application while a project is open.

    Otherwise timed tests would pay for leftovers of earlier tests: garbage, and threads that
    still finish cancelled work.
    """
    thresholds = gc.get_threshold()
    gc.set_threshold(*thresholds[:2], 1_000_000)
    for _ in range(200):
        begun = time.process_time()
        time.sleep(0.05)
        if time.process_time() - begun < 0.01:
            break
    yield
    gc.set_threshold(*thresholds)


@pytest.fixture(scope="session")
def dictionary() -> Dictionary:
    """The Chinese-English one that ships."""
    from anaphora.features.dictionary.entries import Dictionary
    from anaphora.system.locations import glossary

    path = glossary("zh", "en")
    assert path is not None
    return Dictionary.read(path)


@pytest.fixture
def document(tmp_path: Path) -> Path:
    """A Chinese text of twelve lines."""
    path = tmp_path / "指南.zh.txt"
    path.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def windows(qtbot) -> Iterator[list[MainWindow]]:
    """The windows that the test has made: they end with it."""
    from ended_windows import end_windows

    made: list[MainWindow] = []
    yield made
    end_windows(qtbot, made)


@pytest.fixture
def make_window(qtbot, tmp_path: Path, windows: list[MainWindow]) -> Callable:
    """Makes shown windows on a double of the engine."""
    from recording_translator import RecordingTranslator

    from anaphora.composition import make_window as wire
    from anaphora.editor.appearance.application import SWITCH_INTERVAL_S
    from anaphora.system.window_settings import WindowSettings

    sys.setswitchinterval(SWITCH_INTERVAL_S)

    def make(translator: Any = None, path: Path | None = None, start: bool = True) -> MainWindow:
        from PySide6.QtWidgets import QApplication

        double = translator or RecordingTranslator()
        loader = double if callable(double) else lambda: double
        for other in windows:
            assert other.desk.settings.finish(20)
        settings = WindowSettings(tmp_path / "window.ini")
        if not settings.contains("language"):
            # Tests read English texts, on a desktop in any language.
            settings.setValue("language", "en")
        window = wire(cast(QApplication, QApplication.instance()), loader, settings)
        windows.append(window)
        window.resize(1400, 900)
        window.show()
        if start:
            window.desk.worker.start()
        if path is not None:
            window.opener.open(path)
            qtbot.waitUntil(lambda: window.table.currentIndex().row() >= 0, timeout=20000)
        return window

    return make


@pytest.fixture
def drafted(qtbot) -> Callable:
    """Waits until everything has a draft, and the memories and terms, which open beside it, are there."""

    def wait(window: MainWindow) -> None:
        from anaphora.features.drafting.feature import Drafting
        from anaphora.features.terms.feature import Terms
        from anaphora.features.tm.feature import Tm

        def is_ready() -> bool:
            progress = window.of(Drafting).service.progress
            has_drafts = progress.done == progress.total > 0 and not progress.active
            return (
                has_drafts
                and window.of(Tm).service.memories is not None
                and window.of(Terms).service.terms is not None
            )

        qtbot.waitUntil(is_ready, timeout=30000)

    return wait
