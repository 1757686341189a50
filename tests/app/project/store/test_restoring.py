"""Damaged projects are restored from their newest sound backup and their readable parts."""

from __future__ import annotations

import re
import shutil
from contextlib import AbstractContextManager
from datetime import datetime
from itertools import count
from pathlib import Path

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.edits import ChangeSet, Comment, CommentChange, Edit
from anaphora.core.errors import ProjectError
from anaphora.core.matching import Unit
from anaphora.core.project import DamagedProjectError
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.project import restoring
from anaphora.project.opening import LoadedProject, open_project
from anaphora.project.saving import back_up_changed
from anaphora.project.store.backups import list_backups
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.units.table import TranslationMemory

SEGMENTS = 200
BACKED_UP = 100
MADE = datetime(2026, 3, 20, 14, 32)


def confirm(store: ProjectStore, number: int) -> None:
    before = store.load_document().get(f"1/s{number}").state
    store.save(ChangeSet((Edit(f"1/s{number}", before, done(number)),)))


def done(number: int) -> SegmentState:
    return SegmentState(f"Sentence {number} is translated. " * 4, Status.CONFIRMED)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with 199 of 200 segments confirmed; its backup has the first hundred of them."""
    segments = tuple(Segment(f"s{number}", f"第{number}句。" * 5) for number in range(SEGMENTS))
    data = "\n".join(segment.source for segment in segments).encode()
    source = SourceDocument("说明.txt", Path("/tmp/说明.txt"), "txt", "utf-8", data, segments)
    path = tmp_path / "work" / "a.anaphora"
    ProjectStore.create(path, source).close()
    store = ProjectStore.open(path, lambda: MADE)
    for first, last in ((0, BACKED_UP), (BACKED_UP, SEGMENTS - 1)):
        document = store.load_document()
        edits = (Edit(f"1/s{n}", document.get(f"1/s{n}").state, done(n)) for n in range(first, last))
        store.save(ChangeSet(tuple(edits)))
        if first == 0:
            assert back_up_changed(store)
    TranslationMemory("project", store).add([Unit(f"词{n}", f"word {n}") for n in range(50)])
    store.close()
    return path


def reopened(project: Path) -> LoadedProject:
    opened = open_project(project)
    opened.store.close()
    return opened


def confirmed(opened: LoadedProject) -> int:
    """The number of confirmed segments; each has its confirmed text."""
    for number, segment in enumerate(opened.document):
        assert segment.status is not Status.CONFIRMED or segment.state == done(number)
    return sum(segment.status is Status.CONFIRMED for segment in opened.document)


@pytest.mark.slow
def test_an_unreadable_file_is_kept_and_restored_from_the_backup(project: Path) -> None:
    for number, damage in enumerate((b"", b"only text\n" * 1000, project.read_bytes()[:5000])):
        project.write_bytes(damage)
        opened = reopened(project)
        found = opened.restoration
        assert found is not None and found.lost and found.made == MADE and found.recovered == 0
        assert confirmed(opened) == BACKED_UP
        assert found.kept.read_bytes() == damage
        assert found.kept.name == "a.anaphora.damaged" + (str(number + 1) if number else "")
        assert reopened(project).restoration is None


@pytest.mark.slow
def test_random_damage_loses_no_sound_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short version of tests/benchmarks/damage_test.py: every kind of damage, eight times."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "benchmarks"))
    import damage_test

    result = damage_test.run(8 * len(damage_test.DAMAGES), tmp_path, seed=5)
    assert result.wrong == []
    assert result.restored.total() > 40 and result.recovered.total() > 1000


@pytest.mark.parametrize("what", ["Sentence 3 is", "第3句", "Sentence 150 is"])
def test_a_flipped_bit_in_a_text_is_found_and_all_other_segments_are_kept(project: Path, what: str) -> None:
    sound = project.read_bytes()
    kept = []
    for place in (match.start() for match in re.finditer(re.escape(what.encode()), sound)):
        shutil.rmtree(project.parent / "damaged", ignore_errors=True)
        data = bytearray(sound)
        data[place] ^= 1
        project.write_bytes(data)
        opened = reopened(project)
        assert opened.restoration is not None
        kept.append(confirmed(opened))
    # Everything in the backup, and all later segments except the damaged one; a target is also in the
    # history, and a source in the original.
    lost = what == "Sentence 150 is"
    assert len(kept) > 1 and set(kept) == ({SEGMENTS - 1, SEGMENTS - 2} if lost else {SEGMENTS - 1})


def test_comments_and_history_are_recovered_from_a_damaged_project(project: Path) -> None:
    store = ProjectStore.open(project)
    comments = [
        Comment(f"c{number}", f"1/s{number}", "Me", "2026-03-20", f"Why {number}?") for number in (3, 150)
    ]
    store.save(*(CommentChange(comment) for comment in comments))
    before = store.history("1/s160")
    store.close()
    data = bytearray(project.read_bytes())
    data[data.rindex(b"Why 3?")] ^= 1
    project.write_bytes(data)
    opened = open_project(project)
    assert opened.restoration is not None
    assert opened.store.comments() == (comments[1],)
    assert before and opened.store.history("1/s160") == before
    assert len(opened.store.history("1/s3")) == 1
    opened.store.close()


@pytest.mark.parametrize("is_backed_up", [False, True])
def test_a_log_of_another_project_does_no_harm(project: Path, tmp_path: Path, is_backed_up: bool) -> None:
    other = Path(shutil.copy(list_backups(project)[0].path, tmp_path / "other.anaphora"))
    store = ProjectStore.open(other)
    for number in range(150, 160):
        confirm(store, number)
    for suffix in ("-wal", "-shm"):
        if (log := Path(f"{other}{suffix}")).exists():
            shutil.copy(log, f"{project}{suffix}")
    store.close()
    if not is_backed_up:
        shutil.rmtree(list_backups(project)[0].path.parent)
    opened = reopened(project)
    assert confirmed(opened) == SEGMENTS - 1
    assert opened.restoration is not None and opened.restoration.kept.exists()


def test_the_log_of_a_removed_project_is_not_applied_to_a_new_one(project: Path, tmp_path: Path) -> None:
    left = tmp_path / "left-wal"
    store = ProjectStore.open(project)
    confirm(store, SEGMENTS - 1)
    shutil.copy(f"{project}-wal", left)
    for name in ("made.anaphora", "copied.anaphora"):
        shutil.copy(left, tmp_path / f"{name}-wal")
    store.copy_to(tmp_path / "copied.anaphora")
    store.close()
    assert confirmed(reopened(tmp_path / "copied.anaphora")) == SEGMENTS
    source = SourceDocument("a.txt", None, "txt", "utf-8", b"x", (Segment("s0", "x"),))
    made = ProjectStore.create(tmp_path / "made.anaphora", source)
    assert len(made.load_document()) == 1
    made.close()


def test_a_log_left_by_a_crash_is_not_damage(project: Path) -> None:
    store = ProjectStore.open(project)
    confirm(store, SEGMENTS - 1)
    copies = {Path(f"{project}{end}"): Path(f"{project}{end}").read_bytes() for end in ("", "-wal")}
    store.close()
    for path, data in copies.items():
        path.write_bytes(data)
    opened = reopened(project)
    assert opened.restoration is None and confirmed(opened) == SEGMENTS


def test_a_damaged_backup_is_skipped(project: Path) -> None:
    store = ProjectStore.open(project)
    confirm(store, SEGMENTS - 1)
    assert back_up_changed(store)
    store.close()
    newest, older = list_backups(project)
    newest.path.write_bytes(newest.path.read_bytes()[:9000])
    project.write_bytes(b"")
    opened = reopened(project)
    assert opened.restoration is not None and opened.restoration.made == older.made
    assert confirmed(opened) == BACKED_UP


def test_a_complete_backup_loses_nothing(project: Path) -> None:
    store = ProjectStore.open(project)
    confirm(store, SEGMENTS - 1)
    assert back_up_changed(store)
    store.close()
    data = bytearray(project.read_bytes())
    data[data.rindex("第3句".encode()) + 1] ^= 4
    project.write_bytes(data)
    opened = reopened(project)
    assert opened.restoration is not None and not opened.restoration.lost
    assert confirmed(opened) == SEGMENTS


def test_without_a_sound_backup_the_file_is_not_changed(project: Path) -> None:
    for backup in list_backups(project):
        backup.path.write_bytes(b"broken")
    project.write_bytes(b"broken, too")
    with pytest.raises(DamagedProjectError):
        open_project(project)
    assert project.read_bytes() == b"broken, too"
    assert [path.name for path in project.parent.iterdir()] == ["a.anaphora"]


@pytest.mark.parametrize("written", [0, 1])
@pytest.mark.slow
def test_an_interrupted_restoration_begins_again(
    project: Path, written: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full after so many files."""
    project.write_bytes(b"broken")
    replacing, files = restoring.replacing, count()

    def fail(path: Path) -> AbstractContextManager[Path]:
        if next(files) == written:
            raise OSError(28, "No space left on device")
        return replacing(path)

    with monkeypatch.context() as broken:
        broken.setattr(restoring, "replacing", fail)
        with pytest.raises(ProjectError, match="Free some space"):
            open_project(project)
    assert project.read_bytes() == b"broken"
    assert confirmed(reopened(project)) == BACKED_UP
