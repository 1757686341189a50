"""Documents are read again when the project's language changes; no work is lost."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from joining import block_text

from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.segment import SegmentState, Status
from anaphora.project.changes import change_project
from anaphora.project.document.resegmentation_plan import plan_merge
from anaphora.project.opening import open_paths
from anaphora.project.rereading import are_in_another_language, read_in
from anaphora.project.store.project import ProjectStore

TEXT = "Am 3. Tag endet der Vertrag. Beide Parteien unterschreiben ihn.\n\nGut.\n"
"""German writes ordinals with a full stop; the rules for English end a sentence there."""
CUT = ["Am 3.", "Tag endet der Vertrag.", "Beide Parteien unterschreiben ihn.", "Gut."]
WHOLE = ["Am 3. Tag endet der Vertrag.", *CUT[2:]]


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    """A German document opened before its language is set to German."""
    (tmp_path / "vertrag.txt").write_text(TEXT, "utf-8")
    opened = open_paths([tmp_path / "vertrag.txt"])
    assert sources(opened.store) == CUT
    return opened.store


def sources(store: ProjectStore) -> list[str]:
    return [segment.source for segment in store.load_document()]


def give(store: ProjectStore, row: int, target: str, status: Status) -> None:
    segment = store.load_document().at(row)
    store.save(ChangeSet((Edit(segment.id, segment.state, SegmentState(target, status)),)))


def reread_rescued(store: ProjectStore, language: str) -> ProjectStore:
    path = store.path
    store.close()
    opened = change_project(path, path, partial(read_in, language))
    assert opened.problem is None
    return opened.store


def test_sentences_are_cut_by_the_language_and_translations_stay(store: ProjectStore) -> None:
    give(store, 2, "Both parties sign it.", Status.CONFIRMED)
    give(store, 3, "Gut.", Status.DRAFT)  # a copy, made without a model
    give(store, 1, "Day ends the contract.", Status.DRAFT)
    assert are_in_another_language(store.documents(), "deu_Latn")
    store = reread_rescued(store, "deu_Latn")
    assert sources(store) == WHOLE
    states = [(segment.target, segment.status) for segment in store.load_document()]
    assert states == [
        ("", Status.NOT_STARTED),
        ("Both parties sign it.", Status.CONFIRMED),
        ("", Status.NOT_STARTED),
    ]
    (document,) = store.documents()
    assert document.language == "de" and document.name == "vertrag.txt"
    assert not are_in_another_language([document], "de")
    store = reread_rescued(store, "zh")
    assert sources(store) == CUT and store.documents()[0].language == ""
    store.close()


def test_a_document_is_not_reread_if_work_would_be_lost(store: ProjectStore) -> None:
    give(store, 0, "On the third", Status.EDITED)
    store = reread_rescued(store, "de")
    assert sources(store) == CUT and store.load_document().at(0).target == "On the third"
    store.close()


def test_segments_joined_by_hand_stay_joined(store: ProjectStore) -> None:
    segments = [*store.load_document()]
    plan = plan_merge(block_text(segments, store.shapes("1"), segments[1].id), segments[1].id)
    store.save(plan.resegmentation(plan.before))
    store = reread_rescued(store, "de")
    assert sources(store) == [CUT[0], f"{CUT[1]} {CUT[2]}", CUT[3]]
    store.close()


def test_chinese_documents_are_not_reread_for_chinese(store: ProjectStore) -> None:
    assert not are_in_another_language(store.documents(), "zho_Hans")
    store.close()
