"""The log of what went wrong: errors of every thread, and text of documents only where one asks for it."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from anaphora.application import problem_log
from anaphora.application.problem_log import MAX_BYTES, log_unexpected, read_log, start_log

log = logging.getLogger("anaphora.test")


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    root, hooks = logging.getLogger(), (sys.excepthook, threading.excepthook)
    before = list(root.handlers)
    start_log(tmp_path / "log" / "log.jsonl")
    yield tmp_path / "log" / "log.jsonl"
    sys.excepthook, threading.excepthook = hooks
    for handler in [each for each in root.handlers if each not in before]:
        handler.close()
        root.removeHandler(handler)


TEXT = "甲方支付价款"


def fail() -> None:
    raise ValueError(TEXT)


def test_a_report_holds_no_text_unless_it_is_asked_for(path: Path) -> None:
    log.warning("%s cannot be read", "合同.docx")
    try:
        fail()
    except ValueError:
        log.exception("the engine failed at %s", "DraftJob")
    short, full = read_log(False, path), read_log(True, path)
    assert "合同" not in short and "甲方" not in short
    assert "ValueError" in short and "in fail" in short and "the engine failed" in short
    assert "合同.docx cannot be read" in full and f"ValueError: {TEXT}" in full


def test_what_nobody_handles_is_logged_from_every_thread_and_told_once(path: Path) -> None:
    told: list[bool] = []
    log_unexpected(lambda: told.append(True))
    for _ in range(2):
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
    try:
        fail()
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)
    assert told == [True]
    assert read_log(False, path).count("an error that nobody handled") == 3


def test_the_log_stays_small_and_its_end_is_shown(path: Path) -> None:
    for number in range(4000):
        log.warning("number %d %s", number, "x" * 400)
    assert sum(each.stat().st_size for each in path.parent.iterdir()) <= 2 * MAX_BYTES
    assert "number 3999" in read_log(True, path)


def test_there_may_be_no_log(tmp_path: Path) -> None:
    assert read_log(True, tmp_path / "none") == ""
    (tmp_path / "file").write_text("")
    start_log(tmp_path / "file" / "log.jsonl")  # says so, and goes on


def test_a_line_that_is_cut_off_is_left_out(path: Path) -> None:
    log.warning("first")
    with path.open("a") as file:
        file.write('{"time": "20')
    assert read_log(False, path).endswith("anaphora.test: first")


def test_an_error_is_told_once_for_each_place_that_has_one(path: Path) -> None:
    told: list[bool] = []
    log_unexpected(lambda: told.append(True))

    def raised(place: int) -> ValueError:
        try:
            if place:
                raise ValueError(TEXT)
            fail()
        except ValueError as error:
            return error
        raise AssertionError

    for place in (0, 1, 0, 1):
        error = raised(place)
        sys.excepthook(ValueError, error, error.__traceback__)
    assert len(told) == 2
    for kind in (ValueError, ValueError, KeyError):
        sys.excepthook(kind, kind("x"), None)
    assert len(told) == 4, "one without a place by its kind"


def test_who_stops_the_program_is_no_error(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told: list[bool] = []
    log_unexpected(lambda: told.append(True))
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    threading.excepthook(threading.ExceptHookArgs((SystemExit, None, None, None)))
    assert told == [] and read_log(True, path) == "" and "KeyboardInterrupt" in capsys.readouterr().err


def test_a_report_shows_the_end_of_the_log_in_whole_lines(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        log.warning("number %d", number)
    log.info("nobody has to know")
    size = path.stat().st_size
    monkeypatch.setattr(problem_log, "SHOWN_BYTES", size)
    assert read_log(True, path).count("number") == 3
    monkeypatch.setattr(problem_log, "SHOWN_BYTES", size - 1)
    assert [line[-8:] for line in read_log(True, path).splitlines()] == ["number 1", "number 2"]
    assert read_log(False, path).endswith("WARNING anaphora.test: number %d")
    with path.open("a") as file:
        file.write("damaged\n[1]\n{}\n")
    assert read_log(True, path).endswith("number 2\ndamaged\n[1]\n{}")
    assert read_log(False, path).endswith("number %d")
