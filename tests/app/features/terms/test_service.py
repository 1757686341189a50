"""The term bases of an open project: requests during loading, and files that cannot be opened."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from anaphora.core.segment import SegmentState, Status
from anaphora.core.term_entries import TargetTerm, TermEntry, Usage
from anaphora.features.terms.service import PROJECT, SHARED, ProjectTerms, TermService
from anaphora.features.terms.usage import TermUse, Verdict
from anaphora.project.document.session import DocumentSession
from anaphora.project.opening import open_paths
from anaphora.project.store.terms.table import TermBase, TermFile


@pytest.fixture
def opened(document: Path) -> Iterator[tuple[DocumentSession, object]]:
    project = open_paths([document])
    yield DocumentSession("k", project.document), project.store
    project.store.close()


def test_a_term_added_before_the_bases_are_loaded_is_kept(qtbot, opened, tmp_path: Path) -> None:
    session, store = opened
    service = TermService(tmp_path / "terms.sqlite")
    service.open(session, store)
    with qtbot.waitSignal(service.stored):
        service.settle("账本", ["register", "ledger"])
    service.write(SHARED, TermEntry("区块", (TargetTerm("block"),)))
    service.finish()
    (entry,) = TermBase(PROJECT, store).entries()
    assert (entry.source, entry.allowed) == ("账本", ("register", "ledger"))

    again = TermService(tmp_path / "terms.sqlite")
    again.open(session, store)
    qtbot.waitUntil(lambda: again.terms is not None)
    assert [entry.source for entry in again.terms.entries[SHARED]] == ["区块"]
    again.finish()


def test_a_term_for_an_unreadable_base_is_reported(qtbot, opened, tmp_path: Path) -> None:
    session, store = opened
    path = tmp_path / "terms.sqlite"
    path.write_bytes(b"no database" * 400)
    service = TermService(path)
    told: list[object] = []
    service.failed.connect(told.append)
    service.open(session, store)
    qtbot.waitUntil(lambda: len(told) == 1)
    service.write(SHARED, TermEntry("区块", (TargetTerm("block"),)))
    qtbot.waitUntil(lambda: len(told) == 2)
    service.settle("账本", ["register"])
    service.finish()
    assert [entry.source for entry in TermBase(PROJECT, store).entries()] == ["账本"]
    assert path.read_bytes().startswith(b"no database")


def test_a_draft_made_without_terms_is_redone_with_them(qtbot, opened, tmp_path: Path, monkeypatch) -> None:
    session, store = opened
    TermBase(PROJECT, store).put(TermEntry("账本", (TargetTerm("register"),)))
    made_of, may_read = ProjectTerms.of, threading.Event()

    def read_later(bases: Iterable[TermBase]) -> ProjectTerms:
        assert may_read.wait(20)
        return made_of(bases)

    monkeypatch.setattr(ProjectTerms, "of", read_later)
    monkeypatch.setattr("anaphora.features.terms.service._READY_TIMEOUT", 0.01)
    service = TermService(tmp_path / "terms.sqlite")
    service.open(session, store)
    drafted = session.document.at(0).id
    assert service.for_engine(drafted) == ()
    with qtbot.waitSignal(service.ignored) as told:
        may_read.set()
    assert told.args == [[drafted]]
    assert [term.forms[0] for term in service.for_engine(drafted)] == ["register"]
    service.finish()


def test_segments_are_checked_in_batches_without_terms_too(
    qtbot, opened, tmp_path: Path, monkeypatch
) -> None:
    session, store = opened
    monkeypatch.setattr("anaphora.features.terms.service.BATCH_SIZE", 5)
    service = TermService(tmp_path / "terms.sqlite")
    judged: list[dict[str, object]] = []
    service.checked.connect(judged.append)
    service.open(session, store)
    qtbot.waitUntil(lambda: service.terms is not None, timeout=30000)
    session.set_states({each.id: SegmentState("Text.", Status.DRAFT) for each in session.document})
    count = len(session.document)
    qtbot.waitUntil(lambda: sum(map(len, judged)) == count, timeout=30000)
    assert count > 5 >= max(map(len, judged))
    service.finish()


@pytest.fixture
def service(qtbot, opened, tmp_path: Path) -> Iterator[TermService]:
    """A service whose project has a term of the first sentence."""
    session, store = opened
    TermBase(PROJECT, store).put(
        TermEntry("账本", (TargetTerm("ledger"), TargetTerm("book", Usage.FORBIDDEN)))
    )
    made = TermService(tmp_path / "terms.sqlite")
    made.open(session, store)
    qtbot.waitUntil(lambda: made.terms is not None, timeout=30000)
    yield made
    made.finish()


def target(session: DocumentSession, row: int, text: str, status: Status = Status.DRAFT) -> str:
    key = session.document.at(row).id
    session.set_states({key: SegmentState(text, status)})
    return key


def test_the_segment_of_the_last_request_gets_the_answer(qtbot, opened, service: TermService) -> None:
    session, _ = opened
    used, forbidden = target(session, 0, "The ledger."), target(session, 1, "The book.")
    told: list[tuple[str, list[Verdict]]] = []
    service.found.connect(lambda key, uses: told.append((key, [use.verdict for use in uses])))
    service.ask(forbidden)
    service.ask(used)
    qtbot.waitUntil(lambda: told == [(used, [Verdict.USED])], timeout=30000)
    service.ask(forbidden)
    qtbot.waitUntil(lambda: told[1:] == [(forbidden, [Verdict.FORBIDDEN])], timeout=30000)
    service.ask("gone")
    (held,) = service.for_engine(used)
    assert (held.forms[0], held.forbidden[0]) == ("ledger", "book") and service.for_engine("gone") == ()
    without = session.document.at(6).id
    assert "账本" not in session.document.get(without).source and service.for_engine(without) == ()
    service.close()
    service.ask(used)
    assert service.for_engine(used) == () and service.terms is None and len(told) == 2


def test_translations_are_checked_by_the_current_terms(qtbot, opened, service: TermService) -> None:
    session, store = opened
    judged: dict[str, list[Verdict]] = {}

    def take(some: dict[str, tuple[str, Sequence[TermUse]]]) -> None:
        judged.update({key: [use.verdict for use in uses] for key, (_, uses) in some.items()})

    service.checked.connect(take)
    texts = {0: "The ledger.", 1: "The book.", 4: "A register."}
    keys = [target(session, row, text) for row, text in texts.items()]
    verdicts = [[Verdict.USED], [Verdict.FORBIDDEN], [Verdict.IGNORED]]
    qtbot.waitUntil(lambda: [judged.get(key) for key in keys] == verdicts, timeout=30000)
    by_hand = target(session, 5, "A register.", Status.EDITED)
    with qtbot.waitSignal(service.ignored, timeout=30000) as ignored:
        service.add_pair("账本", "register")
    assert ignored.args == [[keys[1]]], "edited text is not redrafted, and drafts may use register"
    (entry,) = TermBase(PROJECT, store).entries()
    assert entry.allowed == ("ledger", "register") and entry.forbidden == ("book",)
    with qtbot.waitSignal(service.stored, timeout=30000):
        service.add_pair("区块", "block")
    assert [each.allowed for each in TermBase(PROJECT, store).entries() if each.source == "区块"] == [
        ("block",)
    ]
    with qtbot.waitSignal(service.stored, timeout=30000):
        service.settle("账本", ["book", "ledger"])
    changed = next(each for each in TermBase(PROJECT, store).entries() if each.source == "账本")
    assert changed.allowed == ("book", "ledger") and changed.forbidden == ()
    with qtbot.waitSignal(service.ignored, timeout=30000) as ignored:
        service.settle("账本", ["Book", "ledger"])
    assert ignored.args == [keys[1:]], "“The book.” is in another case"
    service.remove(PROJECT, [each.id for each in TermBase(PROJECT, store).entries()])
    qtbot.waitUntil(lambda: all(judged[key] == [] for key in (*keys, by_hand)), timeout=30000)


def test_files_are_imported_one_at_a_time_and_exported(
    qtbot, opened, service: TermService, tmp_path: Path
) -> None:
    path = tmp_path / "terms.csv"
    path.write_text("source,target\n区块,block\n节点,node\n", "utf-8")
    told: list[object] = []
    service.importing.connect(told.append)
    with qtbot.waitSignal(service.imported, timeout=30000):
        assert service.import_file(SHARED, path)
        assert not service.import_file(SHARED, path), "another import is running"
    assert told == [path, None] and service.terms is not None
    assert sorted(each.source for each in service.terms.entries[SHARED]) == ["区块", "节点"]
    with qtbot.waitSignal(service.exported, timeout=30000) as exported:
        service.export_file(SHARED, tmp_path / "out.csv")
    assert exported.args == [tmp_path / "out.csv", 2]
    assert "block" in (tmp_path / "out.csv").read_text("utf-8-sig")
    with qtbot.waitSignal(service.added, timeout=30000) as added:
        service.add_all(
            [TermEntry("交易", (TargetTerm("transaction"),)), TermEntry("记录", (TargetTerm("record"),))]
        )
    assert added.args == [2] and len(service.terms.entries[PROJECT]) == 3
    service.close()
    assert not service.import_file(SHARED, path), "no project is open"


def test_changed_terms_equal_reloaded_terms(qtbot, opened, tmp_path: Path) -> None:
    """After terms were stored, renamed or removed, here or in another window."""
    session, store = opened
    shared = tmp_path / "terms.sqlite"
    file = TermFile.open(shared)
    TermBase(SHARED, file).add(
        [TermEntry("账本", (TargetTerm("register"),)), TermEntry("Ab", (TargetTerm("x"),))]
    )
    service = TermService(shared)
    service.open(session, store)
    qtbot.waitUntil(lambda: service.terms is not None)

    def check(change: Callable[[], object]) -> None:
        with qtbot.waitSignal(service.changed):
            change()
        terms = service.terms
        anew = ProjectTerms.of([TermBase(PROJECT, store), TermBase(SHARED, file)])
        assert terms is not None and (terms.entries, terms.words) == (anew.entries, anew.words)
        text = "账本和区块的ＡＢ记录，分类账。"
        assert terms.recogniser.find(text) == anew.recogniser.find(text)
        for source in ("账本", "ＡＢ", "ab", "分类账", "区块"):
            assert terms.translations(source) == anew.translations(source)

    check(lambda: service.add_pair("账本", "ledger"))
    check(lambda: service.add_pair("ＡＢ", "y"))
    check(lambda: service.add_pair("ab", "z"))
    check(lambda: service.write(PROJECT, replace(TermBase(PROJECT, store).of("ＡＢ"), note="twice")))
    (book, *_) = TermBase(PROJECT, store).entries()
    check(lambda: service.write(PROJECT, replace(book, source="分类账")))
    check(lambda: service.settle("分类账", ["general ledger", "register"]))
    TermBase(SHARED, file).put(TermEntry("区块", (TargetTerm("block"),)))
    check(lambda: service.add_pair("记录", "record"))
    assert service.terms is not None and service.terms.translations("区块") == ("block",)
    check(lambda: service.remove(PROJECT, [book.id]))
    service.finish()
    file.close()
