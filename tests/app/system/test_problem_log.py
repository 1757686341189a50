"""The log of problems: errors of every thread, with text of documents only on request."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from anaphora.features.downloads.catalogue import read_list
from anaphora.system.problem_log import MAX_BYTES, log_unexpected, read_log, start_log

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


def test_a_report_contains_no_text_unless_it_is_requested(path: Path) -> None:
    log.warning("%s cannot be read", "合同.docx")
    try:
        fail()
    except ValueError:
        log.exception("the engine failed at %s", "DraftJob")
    short, full = read_log(False, path), read_log(True, path)
    assert "合同" not in short and "甲方" not in short
    assert "ValueError" in short and "in fail" in short and "the engine failed" in short
    assert "合同.docx cannot be read" in full and f"ValueError: {TEXT}" in full


def test_a_report_does_not_reveal_where_programs_and_files_are(path: Path) -> None:
    log.warning("%s cannot be read", Path.home() / "work" / "a.docx")
    try:
        read_list(path)
    except (ValueError, TypeError, KeyError):
        log.exception("failed")
    logged = read_log(True, path)
    assert str(Path.home()) not in logged and f"~{os.sep}work{os.sep}a.docx cannot be read" in logged
    assert f'File "anaphora{os.sep}features{os.sep}downloads{os.sep}catalogue.py"' in logged


def test_unhandled_errors_are_logged_from_every_thread_and_reported_once(path: Path) -> None:
    calls: list[bool] = []
    log_unexpected(lambda: calls.append(True))
    for _ in range(2):
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
    try:
        fail()
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)
    assert calls == [True]
    assert read_log(False, path).count("unhandled error") == 3


def test_the_log_stays_small_and_its_end_is_shown(path: Path) -> None:
    for number in range(4000):
        log.warning("number %d %s", number, "x" * 400)
    assert sum(each.stat().st_size for each in path.parent.iterdir()) <= 2 * MAX_BYTES
    assert "number 3999" in read_log(True, path)
