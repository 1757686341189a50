"""Comments and the history of segments, stored with the states and moved with the segments."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from inverses import inverse_of

from anaphora.core.edits import MACHINE, ChangeSet, Comment, CommentChange, Edit, Resegmentation
from anaphora.core.segment import SegmentState, Status
from anaphora.project.changes import change_project, remove_document, update_from_files
from anaphora.project.importing.external_changes import changed_originals
from anaphora.project.opening import open_paths
from anaphora.project.store import records
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.rescue import readable_records

TEXT = "第一句在这里。\n第二句在这里。\n第三句在这里。\n"


@pytest.fixture
def store(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_text(TEXT, "utf-8")
    opened = open_paths((path,)).store
    minutes = itertools.count()
    opened.clock = lambda: datetime(2026, 5, 1, 12) + timedelta(minutes=next(minutes))
    opened.author = "李译"
    yield opened
    opened.close()


def set_state(store: ProjectStore, segment: str, target: str, status: Status) -> None:
    before = store.load_document().get(segment).state
    store.save(ChangeSet((Edit(segment, before, SegmentState(target, status)),)))


def first_of(store: ProjectStore) -> str:
    return store.load_document().at(0).id


@pytest.mark.parametrize("moment", [datetime.min, datetime(1969, 12, 31), datetime.max])
def test_work_is_kept_despite_a_wrong_clock(store, moment: datetime) -> None:
    store.clock = lambda: moment
    segment = first_of(store)
    set_state(store, segment, "Said at an odd time.", Status.CONFIRMED)
    assert store.load_document().get(segment).target == "Said at an odd time."
    assert [each.time[:4] for each in store.history(segment)][-1:] in (
        ["0001"],
        ["1969"],
        ["9999"],
        ["1970"],
    )


def comment(segment: str, text: str = "Ask the client.", key: str = "c1") -> Comment:
    return Comment(key, segment, "李译", "2026-05-01T10:00:00+00:00", text)


def test_the_history_has_draft_edit_and_confirmation_with_author_and_time(store) -> None:
    first = first_of(store)
    set_state(store, first, "A first draft.", Status.DRAFT)
    set_state(store, first, "A first sentence.", Status.DRAFT)
    assert store.history(first) == (), "only the machine has changed it"
    for text in ("The", "The first", "The first sentence."):
        set_state(store, first, text, Status.EDITED)
    set_state(store, first, "The first sentence.", Status.CONFIRMED)
    set_state(store, first, "The first sentence!", Status.EDITED)
    set_state(store, first, "The first sentence!", Status.CONFIRMED)
    found = store.history(first)
    assert [(each.author, each.status, each.target) for each in found] == [
        (MACHINE, Status.DRAFT, "A first sentence."),
        ("李译", Status.EDITED, "The first sentence."),
        ("李译", Status.CONFIRMED, "The first sentence."),
        ("李译", Status.EDITED, "The first sentence!"),
        ("李译", Status.CONFIRMED, "The first sentence!"),
    ]
    moments = [datetime.fromisoformat(each.time) for each in found]
    assert moments == sorted(moments) and all(each.tzinfo is not None for each in moments)
    assert store.history(store.load_document().at(1).id) == ()


def test_a_requested_new_draft_is_attributed_to_the_machine(store) -> None:
    first = first_of(store)
    set_state(store, first, "Mine.", Status.EDITED)
    set_state(store, first, "The machine's.", Status.DRAFT)
    assert [(each.author, each.target) for each in store.history(first)] == [
        ("李译", "Mine."),
        (MACHINE, "The machine's."),
    ]


def test_comments_are_kept_changed_and_removed(store) -> None:
    first = first_of(store)
    store.save(CommentChange(comment(first)), CommentChange(comment(first, "Twice?", "c2")))
    path = store.path
    store.close()
    again = ProjectStore.open(path)
    assert [each.text for each in again.comments()] == ["Ask the client.", "Twice?"]
    again.save(CommentChange(comment(first), removed=True), CommentChange(comment(first, "Yes.", "c2")))
    assert [each.text for each in again.comments()] == ["Yes."]
    again.close()


def test_a_damaged_row_is_left_out_and_the_rest_is_read(store) -> None:
    first = first_of(store)
    store.save(CommentChange(comment(first)), CommentChange(comment(first, "Sound.", "c2")))
    set_state(store, first, "Mine.", Status.EDITED)
    with store.writing() as connection:
        connection.execute("UPDATE comments SET text = 'Bsk the client.' WHERE id = 'c1'")
        connection.execute("UPDATE history SET target = 'mine.'")
    assert [each.text for each in store.comments()] == ["Sound."] and store.history(first) == ()


def test_comments_of_joined_segments_stay_with_the_joined_one(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("第一句在这里。第二句在这里。\n", "utf-8")
    opened = open_paths((path,))
    first, second = opened.document
    store = opened.store
    store.save(CommentChange(comment(second.id)))
    joined = replace(first, id="1/joined", source=first.source + second.source)
    change = Resegmentation("1", (first, second), (joined,))
    store.save(change)
    assert [each.segment for each in store.comments()] == [joined.id]
    store.save(inverse_of(change))
    assert [each.segment for each in store.comments()] == [first.id], "none is lost"
    store.close()


def test_comments_and_history_follow_their_sentence_when_the_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(TEXT, "utf-8")
    opened = open_paths((path,))
    store, ids = opened.store, [segment.id for segment in opened.document]
    for number, key in enumerate(ids):
        store.save(CommentChange(comment(key, f"On {number}", f"c{number}")))
        set_state(store, key, f"Sentence {number}.", Status.CONFIRMED)
    path.write_text("新的开头。\n第三句在这里。\n第一句在这里。\n", "utf-8")
    changed = changed_originals(store, opened.documents)
    project = store.path
    store.close()
    again = change_project(project, path, partial(update_from_files, changed))
    sources = {segment.id: segment.source for segment in again.document}
    assert {each.text: sources[each.segment] for each in again.store.comments()} == {
        "On 0": "第一句在这里。",
        "On 1": "新的开头。",
        "On 2": "第三句在这里。",
    }
    histories = [[each.target for each in again.store.history(s.id)] for s in again.document]
    assert histories == [[], ["Sentence 2."], ["Sentence 0."]]
    again.store.close()


def test_the_history_of_a_repeated_sentence_stays_with_its_own_occurrence(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("同样的句子。\n同样的句子。\n", "utf-8")
    opened = open_paths((path,))
    store = opened.store
    for number, segment in enumerate(opened.document):
        set_state(store, segment.id, f"Sentence {number}.", Status.CONFIRMED)
    path.write_text("新的开头。\n同样的句子。\n同样的句子。\n", "utf-8")
    changed = changed_originals(store, opened.documents)
    store.close()
    again = change_project(store.path, path, partial(update_from_files, changed))
    found = [[each.target for each in again.store.history(s.id)] for s in again.document]
    assert found == [[], ["Sentence 0."], ["Sentence 1."]]
    again.store.close()


def test_comments_are_removed_with_their_document(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(TEXT, "utf-8")
    opened = open_paths((tmp_path / "a.txt", tmp_path / "b.txt"))
    for number, segment in enumerate(opened.document):
        opened.store.save(CommentChange(comment(segment.id, str(number), f"c{number}")))
    project = opened.store.path
    opened.store.close()
    again = change_project(project, tmp_path, partial(remove_document, "1"))
    assert [each.text for each in again.store.comments()] == ["3", "4", "5"]
    again.store.close()


def texts_of(store: ProjectStore, segment: str) -> list[tuple[str, Status, str]]:
    return [(each.author, each.status, each.target) for each in store.history(segment)]


def test_returning_to_the_draft_is_attributed_to_the_user(store) -> None:
    first = first_of(store)
    set_state(store, first, "Draft A.", Status.DRAFT)
    set_state(store, first, "My own.", Status.EDITED)
    set_state(store, first, "Draft A.", Status.DRAFT)
    assert texts_of(store, first)[-1] == ("李译", Status.DRAFT, "Draft A.")


def test_long_texts_of_the_history_are_compressed(store) -> None:
    first = first_of(store)
    texts = ["x" * 999, "y" * 1000]
    for text in texts:
        set_state(store, first, text, Status.CONFIRMED)
    assert [each.target for each in store.history(first)] == texts
    with store.writing() as connection:
        kinds = connection.execute("SELECT typeof(target) FROM history ORDER BY id").fetchall()
    assert kinds == [("text",), ("blob",)]


def test_emptying_a_target_is_attributed_to_the_user(store) -> None:
    first = first_of(store)
    set_state(store, first, "Mine.", Status.CONFIRMED)
    set_state(store, first, "", Status.NOT_STARTED)
    assert texts_of(store, first)[-1] == ("李译", Status.NOT_STARTED, "")


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A database with only these tables and two segments."""
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as connection:
        for statement in records.TABLES:
            connection.execute(statement)
        connection.execute("CREATE TABLE segments (id TEXT)")
        connection.executemany("INSERT INTO segments VALUES (?)", [("1/a",), ("11/a",)])
        yield connection


@pytest.mark.parametrize("table", records.TABLE_NAMES)
def test_sound_rows_of_a_damaged_file_are_added_once(tables: sqlite3.Connection, table: str) -> None:
    for key, segment in (("c1", "1/a"), ("c2", "gone"), ("c3", "11/a")):
        records.change_comment(tables, CommentChange(comment(segment, key, key)))
        edit = Edit(segment, SegmentState(), SegmentState(key, Status.EDITED))
        records.add_history(tables, [edit], "A", "m")
    text = "text" if table == "comments" else "target"
    tables.execute(f"UPDATE {table} SET {text} = 'other' WHERE {text} = 'c3'")
    with pytest.raises(sqlite3.DatabaseError, match=table):
        records.check_records(tables)
    tables.commit()
    rows = readable_records(tables, table)
    assert [any(key in map(str, row) for row in rows) for key in ("c1", "c2", "c3")] == [True, True, False]
    tables.execute(f"DELETE FROM {table}")
    for _ in range(2):
        records.add_records(tables, table, rows)
        assert tables.execute(f"SELECT segment, {text} FROM {table}").fetchall() == [("1/a", "c1")]
