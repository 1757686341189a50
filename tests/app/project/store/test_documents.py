"""Several documents in one project; joins and splits; copies."""

from __future__ import annotations

from pathlib import Path

import pytest
from inverses import inverse_of

from anaphora.core.document import SourceDocument
from anaphora.core.edits import ChangeSet, Edit, Resegmentation
from anaphora.core.errors import ProjectError
from anaphora.core.notes import Note, NoteKind
from anaphora.core.project import ProjectGoneError
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.transfer import transfer_translations

NOTES = (Note(NoteKind.NOTE, "a note", ("somebody",)),)


def make(name: str, *texts: str, **more: object) -> SourceDocument:
    segments = tuple(
        Segment(
            f"{n}",
            text,
            block="b1",
            span=(n, n + 1),
            notes=NOTES,
            tags=(("{1}", "bold"),),
            file_target="x" * (n == 0),
        )
        for n, text in enumerate(texts)
    )
    data = "\n".join(texts).encode()
    return SourceDocument(name, Path("/tmp") / name, "txt", "utf-8", data, segments, **more)  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    """A project of two documents."""
    return ProjectStore.create(
        tmp_path / "p.anaphora", make("a.txt", "甲", "乙", "丙"), make("s/b.txt", "丁", "戊"), name="P"
    )


def ids(store: ProjectStore) -> list[str]:
    return [segment.id for segment in store.load_document()]


def confirm(store: ProjectStore, segment: str, text: str) -> None:
    before = store.load_document().get(segment).state
    store.save(ChangeSet((Edit(segment, before, SegmentState(text, Status.CONFIRMED)),)))


def test_documents_follow_each_other(store: ProjectStore) -> None:
    assert ids(store) == ["1/0", "1/1", "1/2", "2/0", "2/1"]
    assert [segment.document for segment in store.load_document()] == ["1", "1", "1", "2", "2"]
    assert [info.name for info in store.documents()] == ["a.txt", "s/b.txt"]
    assert store.original("2") == "丁\n戊".encode()
    assert store.name == "P"
    first = store.load_document().at(0)
    assert (first.block, first.span, first.notes) == ("b1", (0, 1), NOTES)
    assert (first.tags, first.file_target) == ((("{1}", "bold"),), "x")


def test_documents_are_added_and_removed(store: ProjectStore) -> None:
    confirm(store, "2/1", "Five")
    assert store.add_documents([make("c.txt", "己")]) == ("3",)
    assert ids(store) == ["1/0", "1/1", "1/2", "2/0", "2/1", "3/0"]
    store.remove_document("3")
    assert store.add_documents([make("d.txt", "庚")]) == ("4",), "ids are never used again"
    assert store.load_document().get("2/1").target == "Five"
    with pytest.raises(ProjectError, match="no document 3"):
        store.original("3")
    store.remove_document("4")
    store.remove_document("1")
    with pytest.raises(ProjectError, match="at least one"):
        store.remove_document("2")
    path = store.path
    store.close()
    again = ProjectStore.open(path)
    assert ids(again) == ["2/0", "2/1"]
    again.close()


def test_replacing_a_document_keeps_the_others(store: ProjectStore) -> None:
    confirm(store, "1/0", "One")
    new = make("s/b.txt", "丁", "新", modified=7, language="de", shapes={"b1": '["丁新"]'})
    old = [Segment("0", "丁", SegmentState("Four", Status.EDITED))]
    store.replace_documents([("2", transfer_translations(old, new))])
    document = store.load_document()
    assert [s.source for s in document] == ["甲", "乙", "丙", "丁", "新"]
    assert document.get("2/0").target == "Four" and document.get("1/0").target == "One"
    info = store.documents()[1]
    assert (info.modified, info.language) == (7, "de")
    assert store.shapes("2") == {"b1": '["丁新"]'} and "b1" not in store.shapes("1")


def resegmentation(store: ProjectStore, first: int, last: int, *after: Segment) -> Resegmentation:
    before = tuple(store.load_document().at(row) for row in range(first, last + 1))
    return Resegmentation("1", before, after)


def test_a_join_can_be_reversed(store: ProjectStore) -> None:
    whole = list(store.load_document())
    joined = Segment("1/j", "乙丙", SegmentState("Two three", Status.EDITED), "b1", (1, 3), "1")
    change = resegmentation(store, 1, 2, joined)
    store.save(change)
    assert ids(store) == ["1/0", "1/j", "2/0", "2/1"]
    confirm(store, "1/j", "Two and three")
    store.save(ChangeSet((Edit("1/j", SegmentState(), joined.state),)))
    store.save(inverse_of(change))
    assert list(store.load_document()) == whole


def test_a_split_moves_only_later_segments_of_its_document(store: ProjectStore) -> None:
    parts = [Segment(f"1/p{n}", text, block="b1", document="1") for n, text in enumerate("天地人")]
    store.save(resegmentation(store, 0, 0, *parts))
    assert ids(store) == ["1/p0", "1/p1", "1/p2", "1/1", "1/2", "2/0", "2/1"]


def test_missing_segments_are_not_resegmented(store: ProjectStore) -> None:
    document = store.load_document()
    joined = Segment("1/j", "甲丙", block="b1", document="1")
    before = ids(store)
    for wrong in ((document.at(0), document.at(2)), (document.at(1), document.at(0)), (joined,), ()):
        with pytest.raises(ProjectError, match="not in the project"):
            store.save(Resegmentation("1", wrong, (joined,)))
    with pytest.raises(ProjectError):
        store.save(Resegmentation("1", (document.at(0),), (document.at(2),)))
    assert ids(store) == before


def test_every_change_of_the_work_is_counted(store: ProjectStore) -> None:
    assert store.changes == 0
    store.set_setting("window/row", "1/2")
    assert store.changes == 0, "the position of the caret is not work"
    confirm(store, "1/0", "One")
    store.add_documents([make("c.txt", "己")])
    assert store.changes == 2


def test_a_deleted_project_is_noticed_and_can_still_be_saved_elsewhere(
    store: ProjectStore, tmp_path: Path
) -> None:
    confirm(store, "1/0", "One")
    store.path.rename(tmp_path / "moved.anaphora")
    with pytest.raises(ProjectGoneError, match="moved or deleted"):
        confirm(store, "1/1", "Lost without a word")
    with pytest.raises(ProjectGoneError):
        store.set_setting("a", "b")
    store.copy_to(tmp_path / "copy.anaphora")
    copy = ProjectStore.open(tmp_path / "copy.anaphora")
    assert copy.load_document().get("1/0").target == "One"
    copy.close()
    store.close()
    assert sorted(path.name for path in tmp_path.glob("*.anaphora")) == ["copy.anaphora", "moved.anaphora"]
