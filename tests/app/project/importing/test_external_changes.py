"""Files changed by other programs, moved files, and projects saved under other names."""

from __future__ import annotations

import os
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from joining import block_text

from anaphora.core.document import SourceDocument
from anaphora.core.edits import ChangeSet, Comment, CommentChange, Edit
from anaphora.core.errors import ProjectError
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.project.changes import change_project, save_as, update_from_files
from anaphora.project.document.resegmentation_plan import plan_merge
from anaphora.project.document.session import DocumentSession
from anaphora.project.importing.collecting import read_document
from anaphora.project.importing.external_changes import (
    WorkElsewhereError,
    changed_originals,
    checksum,
    keep_stored,
    project_of,
)
from anaphora.project.opening import LoadedProject, open_paths
from anaphora.project.store.backups import list_backups
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.transfer import transfer_translations
from anaphora.project.store.units.table import TranslationMemory

CONFIRMED = Status.CONFIRMED


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A text of three lines."""
    path = tmp_path / "a.txt"
    path.write_text("甲句。\n乙句。\n丙句。\n", "utf-8")
    return path


def confirm(opened: LoadedProject, row: int, text: str) -> None:
    segment = opened.document.at(row)
    changes = ChangeSet((Edit(segment.id, segment.state, SegmentState(text, CONFIRMED)),))
    opened.document.apply(changes)
    opened.store.save(changes)


def write_anew(path: Path, text: str) -> None:
    """Change a file and its time, even with a coarse clock."""
    path.write_text(text, "utf-8")
    later = path.stat().st_mtime_ns + 2_000_000_000
    os.utime(path, ns=(later, later))


def version(text: str) -> SourceDocument:
    """A document of segments such as `source/translation/context`, confirmed ones unless the translation ends
    in "~" (a draft) or "!" (a target from the file)."""
    segments: list[Segment] = []
    for part in text.split():
        source, target, context = part.split("/")
        status = {"": Status.NOT_STARTED, "~": Status.DRAFT, "!": Status.EDITED}.get(target[-1:], CONFIRMED)
        state, notes = SegmentState(target, status), (Note(NoteKind.CONTEXT, context),)
        from_file = target * (status is Status.EDITED)
        segments.append(Segment(str(len(segments)), source, state, notes=notes, file_target=from_file))
    return SourceDocument("a", None, "", "", b"", tuple(segments))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("甲/A/ 丙/C/ 甲/B/ 丁/D/", "新// 丁// 甲// 丙// 甲//", ["", "D", "A", "C", "B"]),
        ("甲// 甲/A/ 甲/B/", "甲//", ["A?"]),
        ("甲/A/菜单 甲/B/状态", "甲//状态 甲//菜单", ["B", "A"]),
        ("甲/A/1 甲/B/2 丙/C/菜单", "新//1 甲//2 甲//3 丙//状态", ["", "A", "B", "C?"]),
        ("甲/A~/ 乙/B!/ 丙/C/", "甲/X!/ 乙/Y!/ 丙/Z!/", ["X!?", "Y!?", "C"]),
    ],
)
def test_translations_stay_with_their_segments(old: str, new: str, expected: list[str]) -> None:
    found = transfer_translations(version(old).segments, version(new)).document.segments
    assert [each.target + "?" * (each.status is Status.EDITED) for each in found] == expected


def test_a_changed_file_opens_with_the_work_done_on_it(file: Path) -> None:
    opened = open_paths([file])
    assert opened.changed == ()
    confirm(opened, 1, "Second.")
    confirm(opened, 2, "Third.")
    project = opened.store.path
    opened.store.close()
    write_anew(file, "新句。\n甲句。\n乙句。\n")
    again = open_paths([file])
    assert again.store.path == project
    assert [segment.source for segment in again.document] == ["甲句。", "乙句。", "丙句。"]
    (change,) = again.changed
    again.store.close()

    updated = change_project(project, file, partial(update_from_files, [change]))
    assert [segment.target for segment in updated.document] == ["", "", "Second."]
    assert updated.problem is None and updated.changed == ()
    assert [unit.source for unit in TranslationMemory("project", updated.store).units()] == ["丙句。"]
    assert updated.store.original() == file.read_bytes()
    assert list_backups(project)[0].confirmed == 2
    updated.store.close()
    assert open_paths([file]).changed == ()


def test_keeping_the_stored_version_is_asked_once(file: Path) -> None:
    opened = open_paths([file])
    confirm(opened, 0, "First.")
    write_anew(file, "别的。\n")
    changed = changed_originals(opened.store, opened.documents)
    assert len(changed) == 1
    keep_stored(opened.store, changed)
    assert changed_originals(opened.store, opened.documents) == ()
    write_anew(file, "又是别的。\n")
    assert len(changed_originals(opened.store, opened.documents)) == 1
    opened.store.close()


def test_a_changed_file_without_work_is_read_again(file: Path) -> None:
    open_paths([file]).store.close()
    write_anew(file, "新的。\n")
    opened = open_paths([file])
    assert opened.changed == () and [s.source for s in opened.document] == ["新的。"]
    opened.store.close()


def test_touched_missing_and_unreadable_files_do_not_count(file: Path) -> None:
    opened = open_paths([file])
    write_anew(file, file.read_text("utf-8"))
    assert changed_originals(opened.store, opened.documents) == ()
    file.unlink()
    assert changed_originals(opened.store, opened.documents) == ()
    file.mkdir()
    assert changed_originals(opened.store, opened.documents) == ()
    opened.store.close()


def test_a_failed_update_changes_nothing(file: Path) -> None:
    opened = open_paths([file])
    confirm(opened, 0, "First.")
    write_anew(file, "新的。\n")
    changed = changed_originals(opened.store, opened.documents)
    project = opened.store.path
    opened.store.close()
    file.unlink()
    same = change_project(project, file, partial(update_from_files, changed))
    assert same.problem is not None
    assert same.document.at(0).target == "First."
    same.store.close()


def test_manual_splits_and_joins_stay_in_unchanged_blocks(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("甲句。乙句。\n丙句。丁句。\n", "utf-8")
    opened = open_paths([file])
    session = DocumentSession("a", opened.document)
    for row in range(2):
        first = session.document.at(row).id
        plan = plan_merge(block_text(session.document, opened.store.shapes("1"), first), first)
        change = plan.resegmentation(plan.before)
        session.apply_resegmentation(change)
        opened.store.save(change)
        confirm(opened, row, "Done")
    assert [segment.source for segment in session.document] == ["甲句。乙句。", "丙句。丁句。"]
    project = opened.store.path
    opened.store.close()
    write_anew(file, "甲句。乙句。\n戊句。己句。\n")
    again = open_paths([file])
    again.store.close()
    updated = change_project(project, file, partial(update_from_files, again.changed))
    assert {s.source: s.target for s in updated.document} == {
        "甲句。乙句。": "Done",
        "戊句。": "",
        "己句。": "",
    }
    updated.store.close()


def test_saving_as_includes_unwritten_changes(file: Path, tmp_path: Path) -> None:
    opened = open_paths([file])
    confirm(opened, 0, "First.")
    last, segment = opened.document.at(2), opened.document.at(1).id
    edit = Edit(last.id, last.state, SegmentState("Only in the window.", Status.EDITED))
    gone, kept, changed, new = (
        Comment(key, segment, "李译", "2026-05-01T10:00:00+00:00", key) for key in "abcd"
    )
    opened.store.save(*(CommentChange(each) for each in (gone, kept, changed)))
    opened.store.path.unlink()
    said = (kept, replace(changed, text="Only in the window."), new)
    comments = CommentChange(gone, removed=True), CommentChange(said[1]), CommentChange(new)
    waiting = (ChangeSet((edit,)), *comments), {"steering/rules": "kept"}
    saved = save_as(opened.store, tmp_path / "elsewhere", nullcontext(waiting))
    opened.store.close()
    copy = tmp_path / "elsewhere.anaphora"
    assert saved == (copy, waiting)
    store = ProjectStore.open(copy)
    assert set(store.comments()) == set(said) and store.setting("steering/rules") == "kept"
    assert [s.target for s in store.load_document()] == ["First.", "", "Only in the window."]
    store.close()


def test_only_projects_with_work_on_a_file_are_found(file: Path, tmp_path: Path) -> None:
    opened = open_paths([file])
    project = opened.store.path
    assert project_of(file, checksum(file)) == project and project_of(file, "00") is None, "no work yet"
    confirm(opened, 0, "First.")
    opened.store.close()
    assert project_of(file, "00") == project
    other = tmp_path / "folder" / "a.txt"
    other.parent.mkdir()
    assert project_of(other, "00") is None, "a file of the same name elsewhere"


def test_a_file_counts_as_changed_by_its_size_or_its_time_and_its_content(file: Path) -> None:
    opened = open_paths([file])
    (document,) = opened.documents
    stat = file.stat()
    file.write_bytes(file.read_bytes() + b"x")
    os.utime(file, ns=(stat.st_mtime_ns, stat.st_mtime_ns))
    assert len(changed_originals(opened.store, [document])) == 1, "of another size"
    file.write_bytes(file.read_bytes()[:-2] + b"y")
    os.utime(file, ns=(stat.st_mtime_ns, stat.st_mtime_ns))
    assert changed_originals(opened.store, [document]) == (), "size and time are the same"
    os.utime(file, ns=(stat.st_mtime_ns + 1, stat.st_mtime_ns + 1))
    assert len(changed_originals(opened.store, [document])) == 1
    assert changed_originals(opened.store, [replace(document, path="")]) == ()
    assert changed_originals(opened.store, [replace(document, path="a\0b")]) == ()
    opened.store.close()


def moved(file: Path, *parts: str) -> Path:
    place = file.parent.joinpath(*parts)
    place.parent.mkdir(parents=True, exist_ok=True)
    return file.rename(place)


def test_a_moved_file_becomes_the_original_after_the_user_confirms(file: Path) -> None:
    opened = open_paths([file])
    confirm(opened, 0, "A.")
    opened.store.close()
    place = moved(file, "elsewhere", "b.txt")
    with pytest.raises(WorkElsewhereError, match=r"a\.txt") as told:
        open_paths([place])
    assert told.value.paths == (place,)
    again = open_paths([place], resume=True)
    assert again.store.path == opened.store.path and again.document.at(0).target == "A."
    assert again.documents[0].path == str(place) and again.watched and not again.changed
    again.store.close()
    write_anew(place, "新句。\n甲句。\n")
    known = open_paths([place])
    assert known.store.path == opened.store.path and len(known.changed) == 1
    known.store.close()


def test_a_copy_can_start_a_new_project_and_its_original_stays(file: Path, tmp_path: Path) -> None:
    opened = open_paths([file])
    confirm(opened, 0, "A.")
    copy = tmp_path / "copy.txt"
    copy.write_bytes(file.read_bytes())
    with pytest.raises(WorkElsewhereError):  # though it is open
        open_paths([copy])
    anew = open_paths([copy], resume=False)
    assert anew.store.path != opened.store.path and anew.document.at(0).target == ""
    for each in (anew, opened):
        each.store.close()
    both = open_paths([file]), open_paths([copy])
    assert [each.document.at(0).target for each in both] == ["A.", ""]
    for each in both:
        each.store.close()


def test_moved_files_of_the_same_content_stay_two_documents(tmp_path: Path) -> None:
    folder = tmp_path / "first"
    folder.mkdir()
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text("同句。\n", "utf-8")
    opened = open_paths([folder])
    confirm(opened, 0, "Same.")
    opened.store.close()
    place = folder.rename(tmp_path / "second")
    again = open_paths([place], resume=True)
    assert [each.path for each in again.documents] == [str(place / "a.txt"), str(place / "b.txt")]
    again.store.close()


def test_several_moved_files_are_own_after_the_user_confirms(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.txt", "b.txt")]
    for file in files:
        file.write_text(f"{file.name}句。\n", "utf-8")
    opened = open_paths(files)
    confirm(opened, 0, "A.")
    opened.store.close()
    again = open_paths([moved(file, "elsewhere", file.name) for file in files], resume=True)
    assert again.store.path == opened.store.path
    assert len(again.watched) == 2 and not again.undecided
    again.store.close()


def test_a_project_is_closed_if_a_moved_file_cannot_be_recorded(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_paths([file])
    confirm(opened, 0, "A.")
    opened.store.close()
    place = moved(file, "b.txt")

    def fail(*_: object) -> None:
        raise ProjectError("The disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(ProjectStore, "move_documents", fail)
        with pytest.raises(ProjectError, match="full") as told:
            open_paths([place], resume=True)
    again = open_paths([place], resume=True)
    assert again.documents[0].path == str(place) and told.value
    again.store.close()


def test_unrelated_files_and_projects_without_work_raise_no_question(file: Path, tmp_path: Path) -> None:
    opened = open_paths([file])
    opened.store.close()
    copy = tmp_path / "copy.txt"
    copy.write_bytes(file.read_bytes())
    anew = open_paths([copy])
    assert anew.store.path != opened.store.path
    confirm(anew, 0, "A.")
    anew.store.close()
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.txt").write_text(f"第{number}句。\n", "utf-8")
    (folder / "same.txt").write_bytes(file.read_bytes())
    collection = open_paths([folder])
    assert len(collection.documents) == 4, "one file of four is not a moved folder"
    collection.store.close()


def test_a_foreign_project_is_not_opened_for_a_file_unasked(file: Path, tmp_path: Path) -> None:
    store = ProjectStore.create(tmp_path / "sent.anaphora", read_document(file))
    document = store.load_document()
    segment = document.at(0)
    store.save(ChangeSet((Edit(segment.id, segment.state, SegmentState("Sent.", CONFIRMED)),)))
    store.close()
    open_paths([store.path]).store.close()
    with pytest.raises(WorkElsewhereError):
        open_paths([file])
