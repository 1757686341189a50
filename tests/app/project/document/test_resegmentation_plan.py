"""Joins and splits: segments, translations, undoing and export."""

from __future__ import annotations

from dataclasses import replace

import pytest
from joining import block_text

from anaphora.core.document import Document, StaleEditError
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.formats.registry import fill, read_bytes
from anaphora.project.document.editing import Editing
from anaphora.project.document.resegmentation_plan import (
    ResegmentationError,
    ResegmentationPlan,
    plan_merge,
    plan_split,
)
from anaphora.project.document.session import DocumentSession

TEXT = "# 题目\n\n账本**很大**。节点[读取](u)它。[第三](v)句。\n\n另一段。第二句。\n"


class Work:
    """A Markdown text with a session and the app's resegmentation."""

    def __init__(self, text: str = TEXT, name: str = "a.md") -> None:
        self.source = read_bytes(text.encode(), name)
        self.session = DocumentSession("d", Document(name, self.source.segments))
        self.editing = Editing(self.session)

    @property
    def segments(self) -> list[Segment]:
        return list(self.session.document)

    @property
    def sources(self) -> list[str]:
        return [segment.source for segment in self.segments]

    def write(self, row: int, text: str, status: Status = Status.EDITED) -> None:
        self.session.set_states({self.segments[row].id: SegmentState(text, status)})

    def plan_join(self, row: int) -> ResegmentationPlan:
        first = self.segments[row].id
        return plan_merge(block_text(self.segments, self.source.shapes, first), first)

    def plan_split(self, row: int, offset: int) -> ResegmentationPlan:
        whole = self.segments[row].id
        return plan_split(block_text(self.segments, self.source.shapes, whole), whole, offset)

    def join(self, row: int) -> None:
        assert self.editing.resegment(self.plan_join(row))

    def split(self, row: int, before: str) -> None:
        assert self.editing.resegment(self.plan_split(row, self.segments[row].source.index(before)))

    def export(self) -> str:
        return fill(self.source.data, self.source.format, self.segments).decode()


def test_a_join_is_undone_and_redone(qapp):
    work = Work()
    work.write(1, "The ledger is {1}big{/1}.", Status.CONFIRMED)
    work.write(2, "Nodes {1}read{/1} it.")
    work.write(3, "The {1}third{/1}.", Status.DRAFT)
    before = work.segments
    work.join(1)
    assert work.sources == [
        "题目",
        "账本{1}很大{/1}。节点{2}读取{/2}它。",
        "{1}第三{/1}句。",
        "另一段。",
        "第二句。",
    ]
    assert work.segments[1].target == "The ledger is {1}big{/1}. Nodes {2}read{/2} it."
    assert work.segments[1].status is Status.EDITED
    assert work.segments[2] is before[3], "the other segments stay"
    assert [label for label, _ in work.segments[1].tags] == ["{1}", "{2}"]
    exported = work.export()
    assert "The ledger is **big**. Nodes [read](u) it. The [third](v)." in exported
    after = work.segments
    work.editing.undo()
    assert work.segments == before
    assert work.export() == exported, "the export does not depend on joins"
    work.editing.redo()
    assert work.segments == after


def test_a_split_at_a_sentence_end_divides_the_target(qapp):
    work = Work()
    work.write(1, "One {1}big{/1}.")
    work.write(2, "Two {1}reads{/1}.")
    work.join(1)
    work.split(1, "节点")
    assert [s.target for s in work.segments[1:3]] == ["One {1}big{/1}.", "Two {1}reads{/1}."]
    assert all(s.status is Status.EDITED for s in work.segments[1:3])
    assert len(work.segments) == 6


def test_a_split_inside_a_sentence_leaves_the_target_with_the_first_part(qapp):
    work = Work()
    work.write(2, "Nodes {1}read{/1} it.", Status.CONFIRMED)
    work.split(2, "它")
    assert work.sources[2:4] == ["节点{1}读取{/1}", "它。"]
    assert work.segments[2].state == SegmentState("Nodes {1}read{/1} it.", Status.EDITED)
    assert work.segments[3].state == SegmentState()
    work.editing.undo()
    assert work.segments[2].state == SegmentState("Nodes {1}read{/1} it.", Status.CONFIRMED)
    assert len(work.segments) == 6


def test_a_split_inside_a_drafted_sentence_drops_the_draft(qapp):
    """Otherwise the first part would contain the translation of the second one."""
    work = Work()
    work.write(2, "Nodes {1}read{/1} it.", Status.DRAFT)
    work.split(2, "它")
    assert [each.state for each in work.segments[2:4]] == [SegmentState(), SegmentState()]
    work.editing.undo()
    assert work.segments[2].state == SegmentState("Nodes {1}read{/1} it.", Status.DRAFT)
    work.write(2, work.segments[2].source, Status.DRAFT)
    work.split(2, "它")
    copies = [SegmentState(each.source, Status.DRAFT) for each in work.segments[2:4]]
    assert [each.state for each in work.segments[2:4]] == copies


def test_tags_go_with_their_part_of_a_split(qapp):
    work = Work()
    work.write(1, "The ledger is {1}big{/1} indeed")
    work.split(1, "{1}")
    assert work.sources[1:3] == ["账本", "{1}很大{/1}。"]
    assert work.segments[1].target == "The ledger is big indeed"


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ((("A.", Status.DRAFT), ("B.", Status.DRAFT)), SegmentState("A. B.", Status.DRAFT)),
        ((("A.", Status.DRAFT), ("", Status.NOT_STARTED)), SegmentState()),
        ((("A.", Status.EDITED), ("", Status.NOT_STARTED)), SegmentState("A.", Status.EDITED)),
        ((("A.", Status.CONFIRMED), ("B.", Status.CONFIRMED)), SegmentState("A. B.", Status.EDITED)),
        ((("甲。", Status.EDITED), ("乙。", Status.DRAFT)), SegmentState("甲。乙。", Status.EDITED)),
    ],
)
def test_a_join_combines_states_and_targets(qapp, states, expected):
    work = Work("一。二。\n", "a.txt")
    for row, (text, status) in enumerate(states):
        work.write(row, text, status)
    work.join(0)
    assert work.segments[0].state == expected


def test_later_steps_are_undone_first_and_newer_drafts_are_kept(qapp):
    work = Work("一。二。三。四。\n", "a.txt")
    work.join(0)
    work.editing.type_text(work.segments[0].id, "One two.")
    work.join(1)
    work.editing.confirm(work.segments[0].id)
    work.session.set_states({work.segments[0].id: work.segments[0].state})
    for _ in range(3):
        work.editing.undo()
    assert work.sources == ["一。二。", "三。", "四。"]
    work.write(1, "Three, drafted.", Status.DRAFT)
    work.editing.undo()
    assert [(s.source, s.target) for s in work.segments] == [
        ("一。", ""),
        ("二。", ""),
        ("三。", "Three, drafted."),
        ("四。", ""),
    ]
    for _ in range(4):
        work.editing.redo()
    assert work.sources == ["一。二。", "三。四。"]
    assert work.segments[0].state == SegmentState("One two.", Status.CONFIRMED)


def test_segments_split_by_hand_can_be_joined_again(qapp):
    work = Work("一二三四。\n", "a.txt")
    work.split(0, "三")
    assert work.sources == ["一二", "三四。"]
    work.join(0)
    assert work.sources == ["一二三四。"]
    work.split(0, "二")
    assert work.sources == ["一", "二三四。"]
    work.write(0, "1", Status.EDITED)
    work.write(1, "234.", Status.EDITED)
    assert work.export() == "1 234.\n"


def test_a_pair_across_two_sentences_includes_a_third_segment(qapp):
    work = Work("**甲。乙。**丙。\n")
    assert work.sources == ["甲。", "乙。", "丙。"]
    for row, text in enumerate(("A.", "B.", "C.")):
        work.write(row, text)
    work.join(1)
    assert work.sources == ["{1}甲。乙。{/1}丙。"]
    assert work.segments[0].target == "A. B. C."
    work.editing.undo()
    assert [s.target for s in work.segments] == ["A.", "B.", "C."]


def test_impossible_joins_and_splits_raise_the_reason(qapp):
    work = Work("一二[三四](u)五。\n\n六。  \n七。\n")
    first, *_ = work.segments
    with pytest.raises(ResegmentationError, match="formatting"):
        work.plan_split(0, first.source.index("四"))
    for offset in (0, len(first.source), len(first.source) - 1):
        with pytest.raises(ResegmentationError, match="nothing to translate"):
            work.plan_split(0, offset)
    with pytest.raises(ResegmentationError, match="line break"):
        work.plan_join(1)
    block = block_text(work.segments, work.source.shapes, first.id)
    other = replace(block, segments=(replace(first, source="别的"),))
    with pytest.raises(ResegmentationError, match="differ from those in the project"):
        plan_split(other, first.id, 1)


def test_an_outdated_resegmentation_changes_nothing(qapp):
    work = Work("一。二。\n", "a.txt")
    plan = work.plan_join(0)
    stale = plan.resegmentation([replace(segment, source="x") for segment in work.segments])
    announced: list[object] = []
    work.session.resegmenting.connect(announced.append)
    with pytest.raises(StaleEditError):
        work.session.apply_resegmentation(stale)
    assert work.sources == ["一。", "二。"] and announced == []
    work.join(0)
    assert not work.editing.resegment(plan), "its segments are gone"
