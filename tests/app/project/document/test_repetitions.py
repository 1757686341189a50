"""Repetitions: a confirmed text is propagated to segments with the same source, and undone in one step."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from anaphora.core.document import Document
from anaphora.core.draft_report import DraftReport
from anaphora.core.edits import Resegmentation
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.formats.registry import read_bytes
from anaphora.project.document.editing import Editing
from anaphora.project.document.repetitions import Propagation, RepetitionChoice, Repetitions, propagate
from anaphora.project.document.session import DocumentSession
from anaphora.system.background import BackgroundTasks
from anaphora_nmt.types import Repeats

DRAFT = SegmentState("draft", Status.DRAFT)


class Desk:
    """A session with its history."""

    def __init__(self, segments: list[Segment], choice: RepetitionChoice, tasks: BackgroundTasks) -> None:
        self.session = DocumentSession("k", Document("d", segments))
        self.repetitions = Repetitions(self.session, tasks, choice, self.session)
        self.editing = Editing(self.session, self.session, self.repetitions)
        self.given: list[Propagation] = []
        self.editing.propagated.connect(self.given.append)

    def confirm(self, segment_id: str, text: str) -> None:
        self.editing.type_text(segment_id, text)
        assert self.editing.confirm(segment_id)

    def states(self, *ids: str) -> list[tuple[str, str]]:
        found = [self.session.document.get(each) for each in ids]
        return [(segment.target, segment.status.name) for segment in found]


@pytest.fixture
def make(qtbot) -> Callable[..., Desk]:
    def desk(*segments: Segment, choice: RepetitionChoice = RepetitionChoice(), wait: bool = True) -> Desk:
        tasks = BackgroundTasks()
        made = Desk(list(segments), choice, tasks)
        made.tasks = tasks  # type: ignore[attr-defined]
        if wait:
            qtbot.waitUntil(lambda: made.repetitions.is_ready, timeout=30000)
        return made

    return desk


def seg(identifier: str, source: str, state: SegmentState = DRAFT, document: str = "1") -> Segment:
    names = [f"{{{n}{end}}}" for n in range(1, 5) for end in ("", "/")]
    tags = tuple((name, "bold") for name in names if name in source)
    return Segment(identifier, source, state, document=document, tags=tags)


def test_all_repetitions_in_the_project_get_the_text_in_one_step(make) -> None:
    desk = make(
        seg("1/a", "自动微分"),
        seg("1/b", "别的"),
        seg("1/c", "自动微分", SegmentState()),
        seg("2/a", "自动微分", document="2"),
    )
    desk.confirm("1/a", "Auto-differentiation")
    assert desk.states("1/a", "1/b", "1/c", "2/a") == [
        ("Auto-differentiation", "CONFIRMED"),
        ("draft", "DRAFT"),
        ("Auto-differentiation", "EDITED"),
        ("Auto-differentiation", "EDITED"),
    ]
    assert len(desk.given[0].states) == 2
    desk.editing.undo()
    assert desk.states("1/a", "1/c", "2/a") == [
        ("Auto-differentiation", "EDITED"),
        ("", "NOT_STARTED"),
        ("draft", "DRAFT"),
    ]
    desk.editing.redo()
    assert desk.states("1/c", "2/a") == [("Auto-differentiation", "EDITED")] * 2


def test_confirmed_and_locked_segments_are_never_touched(make) -> None:
    desk = make(
        seg("1/a", "图"),
        seg("1/b", "图", SegmentState("plot", Status.CONFIRMED)),
        seg("1/c", "图", SegmentState("chart", Status.LOCKED)),
        seg("1/d", "图", SegmentState("figure", Status.EDITED)),
    )
    desk.confirm("1/a", "graph")
    assert desk.states("1/b", "1/c", "1/d") == [
        ("plot", "CONFIRMED"),
        ("chart", "LOCKED"),
        ("figure", "EDITED"),
    ]
    (given,) = desk.given
    assert (given.kept, len(given.states)) == (2, 0)


def test_human_and_given_translations_are_never_replaced(make) -> None:
    fuzzy = SegmentState("Ajar", Status.DRAFT)
    matched = SegmentState("opened", Status.EDITED, DraftReport(match=100))
    desk = make(
        seg("1/a", "打开"),
        replace(seg("1/b", "打开", fuzzy), file_target="Ajar"),
        seg("1/c", "打开", SegmentState("Unlock", Status.EDITED)),
        seg("1/d", "打开"),
        seg("1/e", "打开", matched),
        seg("1/f", "打开"),
        choice=RepetitionChoice(confirm_exact=True),
    )
    desk.confirm("1/a", "Open")
    assert desk.states("1/b", "1/c") == [("Ajar", "DRAFT"), ("Unlock", "EDITED")]
    assert desk.states("1/d", "1/e", "1/f") == [("Open", "CONFIRMED")] * 3
    assert desk.given[0].kept == 2


def test_propagated_text_follows_corrections_until_it_is_edited(make) -> None:
    desk = make(seg("1/a", "打开"), seg("1/b", "打开"), seg("1/c", "打开"))
    desk.confirm("1/a", "Opn")
    desk.editing.type_text("1/c", "Unlock")
    desk.confirm("1/a", "Open")
    assert desk.states("1/b", "1/c") == [("Open", "EDITED"), ("Unlock", "EDITED")]


def test_a_text_is_propagated_only_in_its_context(make) -> None:
    def of(identifier: str, *contexts: str) -> Segment:
        notes = tuple(Note(NoteKind.CONTEXT, each) for each in contexts)
        return replace(seg(identifier, "打开"), notes=(*notes, Note(NoteKind.COMMENT, identifier)))

    desk = make(of("1/a", "verb"), of("1/b", "state"), of("1/c", "verb"), of("1/d"))
    desk.confirm("1/a", "Open")
    assert desk.states("1/b", "1/c", "1/d") == [("draft", "DRAFT"), ("Open", "EDITED"), ("draft", "DRAFT")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.po", 'msgid "%d 个"\nmsgid_plural "%d 个"\nmsgstr[0] ""\nmsgstr[1] ""\n'),
        ("a.json", '{"files_other": "{{count}} 个"}'),
        ("a.json", '{"files": "{{count}} 个", "files_plural": "{{count}} 个"}'),
        ("a.json", '{"files": "{n, plural, other {# 个}}"}'),
    ],
)
def test_plural_forms_do_not_propagate_to_each_other(name: str, text: str) -> None:
    one, other = read_bytes(text.encode(), name).segments
    document = Document("d", [one.with_state(SegmentState("1 file", Status.CONFIRMED)), other])
    assert not propagate(document, one.id, [other.id], RepetitionChoice()).states


def test_only_confirmed_segments_that_the_text_fits_count_as_kept() -> None:
    """An equal text does not count as another translation, and neither does one that does not fit."""

    def document(*confirmed: tuple[str, str]) -> Document:
        others = (
            seg(f"1/{number}", source, SegmentState(target, Status.CONFIRMED))
            for number, (source, target) in enumerate(confirmed)
        )
        return Document("d", [seg("1/a", "图1", SegmentState("graph 1", Status.CONFIRMED)), *others])

    def kept(*confirmed: tuple[str, str]) -> int:
        others = [f"1/{number}" for number in range(len(confirmed))]
        given = propagate(document(*confirmed), "1/a", others, RepetitionChoice())
        assert not given.states
        return given.kept

    assert kept(("图1", "plot 1"), ("图2", "plot 2")) == 2
    assert kept(("图1", "graph 1"), ("图2", "graph 2")) == 0
    assert kept(("图{1}1{/1}", "plot")) == 0


def test_numbers_tags_and_case_are_adapted(make) -> None:
    desk = make(
        seg("1/a", "第3章：{1}Python{/1}"),
        seg("1/b", "第12章：{2}Python{/2}"),
        seg("1/c", "第4章：python"),
        seg("1/d", "第5章：{1/}{2}Py{/2}thon"),
    )
    desk.confirm("1/a", "Chapter 3: {1}Python{/1}")
    assert desk.states("1/b", "1/c", "1/d") == [
        ("Chapter 12: {2}Python{/2}", "EDITED"),
        ("Chapter 4: python", "EDITED"),
        ("draft", "DRAFT"),
    ]
    assert (desk.given[0].adapted, desk.given[0].unfit) == (2, 1)


def test_propagation_can_be_switched_off(make) -> None:
    desk = make(seg("1/a", "图"), seg("1/b", "图"), choice=RepetitionChoice(Repeats.NONE))
    desk.confirm("1/a", "graph")
    assert desk.states("1/b") == [("draft", "DRAFT")] and desk.given == []


def test_propagation_can_require_the_same_previous_segment(make) -> None:
    desk = make(
        seg("1/a", "名称"),
        seg("1/b", "是"),
        seg("1/c", "类型"),
        seg("1/d", "是"),
        seg("2/a", "名称", document="2"),
        seg("2/b", "是", document="2"),
        choice=RepetitionChoice(Repeats.SAME_BEFORE),
    )
    desk.confirm("1/b", "yes")
    assert desk.states("1/d", "2/b") == [("draft", "DRAFT"), ("yes", "EDITED")]


def test_exact_repetitions_can_be_confirmed_at_once(make) -> None:
    desk = make(
        seg("1/a", "第1页"),
        seg("1/b", "第1页"),
        seg("1/c", "第2页"),
        choice=RepetitionChoice(confirm_exact=True),
    )
    desk.confirm("1/a", "Page 1")
    assert desk.states("1/b", "1/c") == [("Page 1", "CONFIRMED"), ("Page 2", "EDITED")]
    desk.editing.undo()
    assert desk.states("1/b", "1/c") == [("draft", "DRAFT")] * 2


def test_a_table_of_numbers_is_not_a_repetition(make) -> None:
    desk = make(seg("1/a", "12"), seg("1/b", "34"), seg("1/c", "12"))
    desk.confirm("1/a", "12")
    assert desk.states("1/b", "1/c") == [("draft", "DRAFT"), ("12", "EDITED")]


def test_identical_sources_are_found_before_the_index_is_ready(make) -> None:
    desk = make(seg("1/a", "第1页"), seg("1/b", "第1页"), seg("1/c", "第2页"), wait=False)
    assert not desk.repetitions.is_ready
    desk.confirm("1/a", "Page 1")
    assert desk.states("1/b", "1/c") == [("Page 1", "EDITED"), ("draft", "DRAFT")]


@pytest.mark.parametrize("wait", [True, False])
def test_repetitions_follow_joins_and_splits(make, qtbot, wait: bool) -> None:
    desk = make(seg("1/a", "甲"), seg("1/b", "乙"), seg("1/c", "甲乙"), wait=wait)
    before = (desk.session.document.get("1/a"), desk.session.document.get("1/b"))
    merged = seg("1/a", "甲乙")
    desk.session.apply_resegmentation(Resegmentation("1", before, (merged,)))
    qtbot.waitUntil(lambda: desk.repetitions.is_ready, timeout=30000)
    assert desk.repetitions.of("1/c") == ["1/a"]
    desk.confirm("1/c", "AB")
    assert desk.states("1/a") == [("AB", "EDITED")]


def test_many_repetitions_are_adapted_off_the_thread(make, qtbot) -> None:
    segments = [seg(f"1/{number}", f"第{number}个节点在{number}保存账本。") for number in range(3000)]
    desk = make(*segments)
    text = "Node {0} keeps the ledger at {0}."
    desk.editing.type_text("1/7", text.format(7))
    begun = time.thread_time()
    assert desk.editing.confirm("1/7")
    assert time.thread_time() - begun < 0.025  # fitting them takes longer
    assert desk.states("1/7", "1/8") == [(text.format(7), "CONFIRMED"), ("draft", "DRAFT")]
    desk.editing.type_text("1/9", "Typed meanwhile.")
    qtbot.waitUntil(lambda: bool(desk.given), timeout=30000)
    assert len(desk.given[0].states) == 2999
    assert desk.states("1/2999", "1/9") == [(text.format(2999), "EDITED"), ("Typed meanwhile.", "EDITED")]
    desk.editing.undo()
    qtbot.waitUntil(lambda: desk.states("1/2999") == [("draft", "DRAFT")], timeout=30000)
    assert desk.states("1/7") == [(text.format(7), "CONFIRMED")]


@pytest.mark.parametrize("end", ["undo", "close"])
def test_nothing_is_filled_in_from_undone_or_closed_segments(make, qtbot, end: str) -> None:
    desk = make(*[seg(f"1/{number}", f"第{number}个节点保存账本。") for number in range(2000)])
    desk.confirm("1/7", "Node 7 keeps the ledger.")
    desk.editing.undo() if end == "undo" else desk.editing.close()
    qtbot.waitUntil(lambda: not desk.tasks.is_busy, timeout=30000)
    assert desk.given == [] and desk.states("1/8") == [("draft", "DRAFT")]
