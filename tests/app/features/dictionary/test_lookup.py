"""Lookups in the shipped dictionary, in the background."""

from __future__ import annotations

import threading

import pytest

from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.features.dictionary.hints import DictionaryService
from anaphora.system.background import BackgroundTasks
from anaphora.system.locations import glossary

PAIR = LanguagePair("zho_Hans", "en-GB")
SEGMENT = Segment("1", "土制雷管（无插销），立即生效。", SegmentState("steamer rings", Status.DRAFT))


@pytest.fixture
def ask(qtbot):
    """Look up words of SEGMENT and return the found words."""
    tasks = BackgroundTasks()

    def ask_service(question: str, *arguments, file_of=glossary):
        service = DictionaryService(file_of, tasks)
        with qtbot.waitSignal(service.found, timeout=30000) as answer:
            getattr(service, question)(SEGMENT, *arguments)
        assert answer.args[0] == SEGMENT.id
        return [entry.word for entry in answer.args[1]]

    yield ask_service
    assert tasks.finish()


def test_words_missing_in_a_draft_are_found(ask) -> None:
    assert ask("look_for_unrendered", PAIR) == ["土制", "雷管", "插销", "生效"]


def test_selected_text_is_looked_up_whole_or_by_words(ask) -> None:
    assert ask("look_up", PAIR, "雷管") == ["雷管"]
    assert ask("look_up", PAIR, "管") == ["管"]
    assert ask("look_up", PAIR, "土制雷管（无插销）") == ["土制", "雷管", "无", "插销"]
    assert ask("look_up", PAIR, "（）") == []


def test_other_languages_have_no_dictionary(ask) -> None:
    assert ask("look_up", LanguagePair("en", "zh"), "contract") == []
    assert ask("look_for_unrendered", LanguagePair("zh", "de")) == []


def test_only_the_last_request_is_answered(qtbot) -> None:
    tasks = BackgroundTasks(threads=1)
    held = threading.Event()
    tasks.start(held.wait, lambda _: None, lambda _: None)
    service, answers = DictionaryService(glossary, tasks), []
    service.found.connect(lambda segment, entries: answers.append([entry.word for entry in entries]))
    service.look_up(SEGMENT, PAIR, "雷管")
    service.look_up(SEGMENT, PAIR, "插销")
    held.set()
    qtbot.waitUntil(lambda: not tasks.is_busy, timeout=30000)
    assert answers == [["插销"]]
    service.look_up(SEGMENT, PAIR, "雷管")
    service.drop()
    qtbot.waitUntil(lambda: not tasks.is_busy, timeout=30000)
    assert len(answers) == 1


def test_a_broken_dictionary_is_reported_once(qtbot, tmp_path) -> None:
    broken = tmp_path / "zh-en.tsv.gz"
    broken.write_bytes(b"no dictionary")
    tasks = BackgroundTasks()
    told: list[str] = []
    service = DictionaryService(lambda source, target: broken, tasks)
    service.failed.connect(told.append)
    with qtbot.waitSignal(service.failed, timeout=30000):
        service.look_up(SEGMENT, PAIR, "雷管")
    with qtbot.waitSignal(service.found, timeout=30000) as answer:
        service.look_up(SEGMENT, PAIR, "雷管")
    assert answer.args[1] == () and len(told) == 1
    assert "zh-en.tsv.gz" in told[0] and "Install Anaphora again." in told[0]


def test_a_broken_dictionary_gives_no_hints_and_is_reported_once(tmp_path) -> None:
    broken = tmp_path / "zh-en.tsv.gz"
    broken.write_bytes(b"no dictionary")
    told: list[str] = []
    service = DictionaryService(lambda source, target: broken, BackgroundTasks())
    service.failed.connect(told.append)
    assert service.dictionary(PAIR) is None and service.dictionary(PAIR) is None
    assert len(told) == 1 and "Install Anaphora again." in told[0]


def test_the_dictionary_is_loaded_in_advance_without_waiting(qtbot) -> None:
    tasks, held = BackgroundTasks(threads=1), threading.Event()
    tasks.start(held.wait, lambda _: None, lambda _: None)
    service, read = DictionaryService(glossary, tasks), list[str]()
    assert service.ready(PAIR) is None and service.ready(LanguagePair("zh", "de")) is None
    service.read(LanguagePair("zh", "de"), lambda: read.append("of no such pair"))
    service.read(PAIR, lambda: read.append("ours"))
    qtbot.waitUntil(lambda: bool(read), timeout=30000)
    assert read == ["ours"], "in a thread that nothing waits for"
    held.set()
    known = service.ready(PAIR)
    assert known is not None and known is service.dictionary(PAIR) and known.find("雷管") is not None
    assert tasks.finish()
