"""Warnings follow changes of the segments."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from anaphora.core.document import Document
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.features.checks import checking
from anaphora.features.checks.checking import CheckingService
from anaphora.features.checks.quality import check_others, check_segment
from anaphora.features.spelling.speller import Speller, SpellingError, words_of
from anaphora.project.document.session import DocumentSession
from anaphora.system.background import BackgroundTasks
from anaphora.system.locations import dictionaries, training_words

WAIT_MS = 30


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "COMPARE_MS", WAIT_MS)
    monkeypatch.setattr(checking, "PAUSE_MS", WAIT_MS)


def test_warnings_follow_the_text(qtbot):
    session = DocumentSession("d", Document("d", [Segment("a", "共 42 个节点。")]))
    service = CheckingService(BackgroundTasks())
    found: dict[str, tuple[str, ...]] = {}
    service.checked.connect(found.__setitem__)
    service.open(session)
    session.set_states({"a": SegmentState("There are nodes.", Status.EDITED)})
    qtbot.waitUntil(lambda: any("42" in warning for warning in found.get("a", ())), timeout=30000)
    session.set_states({"a": SegmentState("There are 42 nodes.", Status.EDITED)})
    qtbot.waitUntil(lambda: found["a"] == (), timeout=30000)


def test_remarks_of_the_engine_count_until_its_draft_changes(qtbot):
    session = DocumentSession("d", Document("d", [Segment("a", "节点。")]))
    service = CheckingService(BackgroundTasks())
    found: dict[str, tuple[str, ...]] = {}
    service.checked.connect(found.__setitem__)
    service.open(session)
    session.set_states({"a": SegmentState("Nodes.", Status.DRAFT)})
    service.add_warnings("a", ("The decoder gave up early.",))
    assert found["a"] == ("The decoder gave up early.",)
    session.set_states({"a": SegmentState("A node.", Status.EDITED)})
    qtbot.waitUntil(lambda: found["a"] == (), timeout=30000)


def test_segments_are_compared_again_after_a_change(qtbot):
    texts = {"a": ("账本", "Ledger"), "b": ("账本", "Ledger"), "c": ("账本", "Register")}
    done = [
        Segment(key, source, SegmentState(target, Status.EDITED)) for key, (source, target) in texts.items()
    ]
    session = DocumentSession("d", Document("d", done))
    service = CheckingService(BackgroundTasks())
    found: dict[str, tuple[str, ...]] = {}
    service.checked.connect(found.__setitem__)
    service.open(session)
    qtbot.waitUntil(lambda: any("“Ledger”" in warning for warning in found.get("c", ())), timeout=30000)
    assert found["a"] == found["b"] == ()
    session.set_states({"c": SegmentState("Ledger", Status.EDITED)})
    qtbot.waitUntil(lambda: found["c"] == (), timeout=30000)


def test_a_document_opened_while_another_one_is_compared_is_compared_too(qtbot):
    def session(key: str) -> DocumentSession:
        texts = (("账本", "Ledger"), ("账本", "Register"))
        done = [
            Segment(f"{key}{row}", source, SegmentState(target, Status.EDITED))
            for row, (source, target) in enumerate(texts)
        ]
        return DocumentSession(key, Document(key, done))

    tasks, go_on = BackgroundTasks(), threading.Event()
    service = CheckingService(tasks)
    found: dict[str, tuple[str, ...]] = {}
    service.checked.connect(found.__setitem__)
    tasks.start(go_on.wait, lambda _: None, lambda _: None, awaited=False)
    first, second = session("a"), session("b")
    try:
        service.open(first)
        qtbot.wait(2 * WAIT_MS)  # its comparison is queued
        service.open(second)
        qtbot.wait(2 * WAIT_MS)
    finally:
        go_on.set()
    qtbot.waitUntil(lambda: bool(found.get("b1")), timeout=30000)
    assert found["b0"] and found["a0"] == ()


def test_a_subtitle_that_is_too_fast_is_reported():
    notes = (Note(NoteKind.TIME, "00:00:01,000 → 00:00:03,000"),)
    slow = Segment("a", "账本。", SegmentState("The ledger keeps it.", Status.EDITED), notes=notes)
    assert not check_segment(slow)
    fast = replace(
        slow, state=SegmentState("The <i>ledger</i> keeps every transaction and its state.", Status.EDITED)
    )
    assert any("24 characters" in warning for warning in check_segment(fast))
    assert not check_segment(replace(fast, notes=(Note(NoteKind.TIME, "0:00:05.00 → 0:00:05.00"),)))
    assert not check_segment(replace(fast, notes=()))


def test_names_that_differ_are_reported_for_the_rarer_one():
    def segment(key: str, source: str, target: str) -> Segment:
        return Segment(key, source, SegmentState(target, Status.EDITED))

    found = check_others(
        [
            segment("a", "张伟东来了。", "Today Zhang Weidong came."),
            segment("b", "张伟东走了。", "Then Zhang Weidong left."),
            segment("c", "张伟东笑了。", "Then Zhang Weidang laughed."),
            segment("d", "李梅笑了。", "Then Zhang Weidung laughed out loud."),
        ]
    )
    assert set(found) == {"c"} and "Weidong" in found["c"][0]


def test_unknown_words_are_reported():
    speller = Speller(dictionaries(), Path("none"), training_words())

    def segment(key: str, source: str, target: str, status: Status = Status.EDITED) -> Segment:
        return Segment(key, source, SegmentState(target, status))

    found = check_others(
        [
            segment("a", "账本。", "The ledger keeps transactures."),
            segment("b", "用 kubectl 打开。", "Open it with kubectl, the hyperparameter and Zhang."),
            segment("c", "节点。", "A nodeling."),
            segment("d", "节点！", "The nodeling!"),
            segment("e", "缓存。", "A cachery.", Status.CONFIRMED),
            segment("f", "缓存！", "The cachery!"),
            segment("g", "打开 tubectl。", "Open it."),
            segment("h", "用它打开。", "Open it with tubectl."),
        ],
        inventions=lambda each: speller.invented(("en_US",), each.target, words_of([each.source])),
    )
    assert set(found) == {"a", "c", "d"} and "transactures" in found["a"][0]
    assert all("nodeling" in found[key][0] for key in "cd"), "a word in two drafts is still unknown"
    broken = Speller(dictionaries(), Path("none"), Path(__file__))
    with pytest.raises(SpellingError, match="cannot be read"):
        broken.invented(("en_US",), "transactures")


def test_the_count_is_complete_after_all_kinds_of_checks(qtbot):
    segments = [Segment("a", "共 42 个节点。"), Segment("b", "账本", SegmentState("Ledger", Status.EDITED))]
    session = DocumentSession("d", Document("d", segments))
    service, other = (CheckingService(BackgroundTasks(), awaits_terms=judges) for judges in (True, False))
    assert not service.is_complete, "there is no document"
    service.open(session)
    other.open(session)
    qtbot.waitUntil(lambda: other.is_complete, timeout=30000)
    assert not service.is_complete and service.is_computing, "the terms have not been checked"
    service.set_term_uses({"gone": ("x", ())})
    service.set_term_uses({"b": ("Ledgers", ())})
    assert not service.is_complete, "the target has changed since"
    service.set_term_uses({"b": ("Ledger", ())})
    qtbot.waitUntil(lambda: service.is_complete, timeout=30000)
    assert service.issue_count == 0
    session.set_states({"a": SegmentState("There are nodes.", Status.EDITED)})
    assert not service.is_complete
    service.set_term_uses({"a": ("There are nodes.", ())})
    qtbot.waitUntil(lambda: service.is_complete, timeout=30000)
    assert service.has_issue("a") and not service.has_issue("b") and service.issue_count == 1
    service.await_terms()
    assert not service.is_complete, "the term bases have changed"
    service.stop_awaiting_terms()
    assert service.is_complete
    session.set_states({"a": SegmentState("There are nodes.", Status.LOCKED)})
    service.stop_awaiting_terms()
    qtbot.waitUntil(lambda: service.is_complete and service.issue_count == 0, timeout=30000)
    service.close()
    service.set_term_uses({"b": ("Ledger", ())})
    service.await_terms()
    assert not service.is_complete and not service.is_computing


def test_constantly_changing_segments_are_compared_too(qtbot):
    """Comparing must not wait for the last of many drafts."""
    texts = {"a": ("账本", "Ledger"), "b": ("账本", "Register")}
    done = [
        Segment(key, source, SegmentState(target, Status.EDITED)) for key, (source, target) in texts.items()
    ]
    session = DocumentSession("d", Document("d", [*done, Segment("c", "草稿")]))
    service = CheckingService(BackgroundTasks())
    service.open(session)
    drafts = iter(range(10**6))

    def goes_on() -> bool:
        session.set_states({"c": SegmentState(f"Draft {next(drafts)}", Status.DRAFT)})
        qtbot.wait(50)
        return service.has_issue("a") or service.has_issue("b")

    qtbot.waitUntil(goes_on, timeout=60000)


def test_segments_are_compared_when_the_user_pauses(qtbot, monkeypatch):
    monkeypatch.setattr(checking, "PAUSE_MS", 60_000)
    both = [Segment(key, "账本", SegmentState("Ledger", Status.EDITED)) for key in "ab"]
    session, service, _ = watched(qtbot, *both)
    service.follow_typing("a")
    session.set_states({"a": SegmentState("Register", Status.EDITED)})
    qtbot.wait(10 * WAIT_MS)
    assert not service.has_issue("b")
    service.end_typing()
    qtbot.waitUntil(lambda: service.has_issue("b"), timeout=30000)


def watched(qtbot, *segments: Segment) -> tuple[DocumentSession, CheckingService, dict[str, list[str]]]:
    """A session, its service, and the remarks by segment, after all checks."""
    session = DocumentSession("d", Document("d", segments))
    service = CheckingService(BackgroundTasks())
    found: dict[str, list[str]] = {}
    service.checked.connect(lambda key, said: found.__setitem__(key, [str(each) for each in said]))
    service.open(session)
    qtbot.waitUntil(lambda: len(found) == len(segments), timeout=30000)
    return session, service, found


LONG_SOURCE = "我们需要在每一个节点上更新缓存和账本，然后保存所有的交易记录。" * 2


def test_a_short_translation_is_reported_after_leaving_it(qtbot):
    session, service, found = watched(qtbot, Segment("a", LONG_SOURCE), Segment("b", "节点"))

    def type_in(text: str, status: Status = Status.EDITED) -> list[str]:
        found.pop("a")
        session.set_states({"a": SegmentState(text, status)})
        qtbot.waitUntil(lambda: "a" in found, timeout=30000)
        return found["a"]

    service.follow_typing("a")
    assert type_in("We have") == []
    service.end_typing()
    assert len(found["a"]) == 1
    service.follow_typing("b")
    assert len(type_in("We have to")) == 1, "the user types in another segment"
    service.follow_typing("a")
    assert type_in("We have to up") == []
    assert len(type_in("We have to up", Status.CONFIRMED)) == 1, "confirmed text counts as complete"
    service.follow_typing("a")
    type_in("We have to.")
    qtbot.waitUntil(lambda: len(found["a"]) == 1, timeout=30000)  # complete, and no typing
    type_in("We have to")
    assert found["a"] == [], "the text has no ending mark"


def test_words_to_be_typed_are_not_reported_as_missing(qtbot):
    limit = Segment("c", "保存 42 个", notes=(Note(NoteKind.LENGTH_LIMIT, "5 characters"),))
    session, service, found = watched(qtbot, Segment("a", "共 42 个{1}节点{/1}。"), limit)

    def type_in(key: str, text: str) -> list[str]:
        service.follow_typing(key)
        found.pop(key)
        session.set_states({key: SegmentState(text, Status.EDITED)})
        qtbot.waitUntil(lambda: key in found, timeout=30000)
        return found[key]

    assert type_in("a", "There are") == []
    service.end_typing()
    assert len(found["a"]) > 1
    assert len(type_in("c", "Save all")) == 1, "it is too long already"
    qtbot.waitUntil(
        lambda: len(found["c"]) == 2, timeout=30000
    )  # nobody types; the source has no ending mark


def test_a_dismissed_issue_does_not_count_and_can_be_restored(qtbot):
    session, service, found = watched(
        qtbot, Segment("a", "共 42 个。", SegmentState("Some.", Status.EDITED)), Segment("b", "节点")
    )
    ((key, remark, dismissed),) = service.remarks()
    assert (key, dismissed, service.issue_count, service.has_issue("a")) == ("a", False, 1, True)
    service.dismiss("a", remark.key)
    assert service.remarks() == [("a", remark, True)] and service.issue_count == 0 and found["a"] == []
    service.dismiss("a", remark.key, dismissed=False)
    assert service.issue_count == 1 and len(found["a"]) == 1
    assert service.remarks_of("a") == (session.document.get("a"), (remark,))
    assert service.remarks_of("b")[1] == () and service.remarks_of("gone") == (None, ())
    service.add_warnings("gone", ("x",))
    service.add_warnings("a", ("The draft failed.",))
    assert found.keys() == {"a", "b"} and found["a"][1:] == ["The draft failed."]
    service.close()
    assert service.remarks() == [] and service.remarks_of("a") == (None, ()) and service.issue_count == 0
    service.add_warnings("a", ("y",))
    assert len(found["a"]) == 2


def test_a_long_segment_is_checked_in_the_background(qtbot, monkeypatch):
    monkeypatch.setattr(checking, "MAX_DIRECT_LENGTH", 10)
    session, _, found = watched(
        qtbot,
        Segment("short", "共 42 个", SegmentState("some", Status.EDITED)),  # ten characters
        Segment("long", "共 42 个。", SegmentState("some.", Status.EDITED)),
    )
    assert all(any("42" in said for said in found[key]) for key in ("short", "long"))
    session.set_states({"long": SegmentState("There are 42 of them.", Status.EDITED)})
    qtbot.waitUntil(lambda: found["long"] == [], timeout=30000)
