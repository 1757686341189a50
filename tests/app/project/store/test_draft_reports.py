"""Reports on drafts are stored with them: unchanged after reopening, with all damage detected."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.draft_report import DraftReport, Hint, unpack
from anaphora.core.drafts import proposal_of, state_of
from anaphora.core.edits import ChangeSet, Edit, Resegmentation
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.project.changes import save_as
from anaphora.project.document.autosave import Unwritten
from anaphora.project.store.backups import is_sound
from anaphora.project.store.project import ProjectStore
from anaphora_nmt.types import DraftQuality, WordQuality

TEXT = "The grundle is the lot."
WORDS = (
    WordQuality("The", 0, 3, 0.92),
    WordQuality("grundle", 4, 11, 0.0625, True, True),
    WordQuality("lot", 19, 22, 1 / 3, True),
)
REPORT = DraftReport.of(
    DraftQuality(0.1 + 0.2, True, WORDS), ("Missing: “nodes.json”",), (Hint(0, 1, "lot"),)
)
DRAFT = SegmentState(TEXT, Status.DRAFT, REPORT)


def change(segment: str, before: SegmentState, after: SegmentState) -> ChangeSet:
    return ChangeSet((Edit(f"1/{segment}", before, after),))


def reopened(store: ProjectStore, segment: str) -> SegmentState:
    store.close()
    again = ProjectStore.open(store.path)
    state = again.load_document().get(f"1/{segment}").state
    again.close()
    return state


@pytest.fixture
def store(tmp_path: Path, source: SourceDocument) -> ProjectStore:
    return ProjectStore.create(tmp_path / "a.anaphora", source)


def test_a_report_is_unchanged_after_reopening(store: ProjectStore) -> None:
    store.save(change("s3", SegmentState(), DRAFT))
    state = reopened(store, "s3")
    assert state.is_as_stored(DRAFT) and state.report is not None and state.report.quality is not None
    assert state.report.quality.expected == 0.1 + 0.2
    assert [word.word for word in state.report.quality.words] == ["grundle", "lot"], "only the doubtful words"
    assert is_sound(store.path)


def test_a_filled_in_match_is_still_marked_after_reopening(store: ProjectStore) -> None:
    filled = SegmentState(TEXT, Status.EDITED, DraftReport(match=101))
    store.save(change("s3", SegmentState(), filled))
    assert reopened(store, "s3").is_as_stored(filled)


def test_a_new_estimate_is_stored_and_typed_text_has_no_report(store: ProjectStore) -> None:
    again = SegmentState(TEXT, Status.DRAFT, DraftReport.of(DraftQuality(0.8)))
    store.save(change("s3", SegmentState(), DRAFT))
    store.save(change("s3", DRAFT, again))
    store.save(change("s4", SegmentState(), DRAFT))
    store.save(change("s4", DRAFT, SegmentState(TEXT + " It is.", Status.EDITED)))
    store.close()
    with ProjectStore.open(store.path).reading() as connection:
        rows = dict(connection.execute("SELECT id, report FROM segments WHERE target <> ''"))
    assert json.loads(rows["1/s3"]) == {"quality": [0.8, False, []]} and rows["1/s4"] == ""


def test_a_report_goes_with_its_segment_through_a_resegmentation(store: ProjectStore) -> None:
    store.save(change("s4", SegmentState(), DRAFT))
    before = store.load_document()
    old = tuple(before.get(f"1/s{number}") for number in (3, 4))
    new = tuple(
        Segment(f"1/n{number}", s.source, s.state, s.block, s.span, s.document)
        for number, s in enumerate(old)
    )
    store.save(Resegmentation("1", old, new))
    assert reopened(store, "n1").is_as_stored(DRAFT)


def test_unwritten_reports_are_in_the_copy_of_a_project(store: ProjectStore, tmp_path: Path) -> None:
    again = SegmentState(TEXT, Status.DRAFT, DraftReport.of(DraftQuality(0.8)))
    store.save(change("s3", SegmentState(), DRAFT))
    waiting: Unwritten = (change("s3", DRAFT, again),), {}
    copy, _ = save_as(store, tmp_path / "copy.anaphora", nullcontext(waiting))
    store.close()
    assert ProjectStore.open(copy).load_document().get("1/s3").state.is_as_stored(again)


@pytest.mark.parametrize(
    "change_it",
    [
        lambda text: text.replace("0.0625", "0.9625"),
        lambda text: "",
        lambda text: '{"quality":[0.9,false,[]]}',
    ],
)
def test_a_damaged_report_is_found(store: ProjectStore, change_it: Callable[[str], str]) -> None:
    store.save(change("s3", SegmentState(), DRAFT))
    store.close()
    with sqlite3.connect(store.path) as connection:
        (text,) = connection.execute("SELECT report FROM segments WHERE id = '1/s3'").fetchone()
        connection.execute("UPDATE segments SET report = ? WHERE id = '1/s3'", (change_it(text),))
    connection.close()
    assert not is_sound(store.path)


@pytest.mark.parametrize(
    "packed",
    [
        "{",
        "[]",
        "7",
        "[" * 100_000,
        '{"quality":7}',
        '{"quality":[0.5,false]}',
        '{"quality":[1e999,false,[]]}',
        '{"quality":[NaN,false,[]]}',
        '{"quality":["0.5",false,[]]}',
        '{"quality":[0.5,0,[]]}',
        '{"quality":[0.5,true,{}]}',
        '{"quality":[0.5,true,[["lot",0,99,0.5,false]]]}',
        '{"quality":[0.5,true,[["lot",3,1,0.5,false]]]}',
        '{"quality":[0.5,true,[[7,0,3,0.5,false]]]}',
        '{"warnings":[7]}',
        '{"warnings":7}',
        '{"lent":[[0,9,"lot"]]}',
        '{"lent":[[0,1]]}',
        '{"quality":[0.3,true,[]],"proposal":7}',
        '{"quality":[0.3,true,[["x",0,99,0.5,false]]],"proposal":"The lot"}',
        f'{{"quality":[{"9" * 400},false,[]]}}',
    ],
)
def test_an_invalid_report_is_refused(packed: str) -> None:
    with pytest.raises(ValueError):
        unpack(packed, "全部", TEXT)


def test_a_proposal_is_unchanged_after_reopening(store: ProjectStore) -> None:
    report = DraftReport.of(DraftQuality(0.3, True, WORDS, True), ("Read it.",), (Hint(0, 1, "lot"),))
    assert report is not None
    proposed = state_of(TEXT, report)
    store.save(change("s3", SegmentState(), proposed))
    again = reopened(store, "s3")
    assert again.is_as_stored(proposed) and proposal_of(again) == TEXT
