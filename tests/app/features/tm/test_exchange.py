"""Import into a memory and export from it: counts, all or nothing, cancelling."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.errors import AnaphoraError, ExportError, ProjectError
from anaphora.core.installed_model import LANGUAGES_SETTING
from anaphora.core.language_pair import LanguagePair
from anaphora.core.long_work import CancelledError, Step, no_step
from anaphora.core.matching import Unit
from anaphora.core.segment import SegmentState, Status
from anaphora.features.tm import exchange
from anaphora.features.tm.exchange import export_units, import_units
from anaphora.project.opening import open_paths
from anaphora.project.store import lock as locks
from anaphora.project.store.lock import ProjectLock
from anaphora.project.store.units.file import MemoryFile
from anaphora.project.store.units.table import TranslationMemory

GOLDEN = Path(__file__).parents[3] / "golden"
MEMORIES = GOLDEN / "translation_memories"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[TranslationMemory]:
    file = MemoryFile.open(tmp_path / "memory.sqlite")
    yield TranslationMemory("mine", file)
    file.close()


def given_up_if(is_enough: Callable[[], bool], tell: Step = no_step) -> Step:
    """A progress step that cancels."""

    def step(share: float) -> None:
        if is_enough():
            raise CancelledError
        tell(share)

    return step


def test_an_import_counts_units_of_the_file(memory: TranslationMemory) -> None:
    shares: list[float] = []
    report = import_units(MEMORIES / "omegat.tmx", memory, step=shares.append)
    assert (report.units, report.added, report.present, report.left_out) == (4, 3, 0, 1)
    assert shares == sorted(shares) and shares[-1] == 1.0
    again = import_units(MEMORIES / "omegat.tmx", memory)
    assert (again.units, again.added, again.present, again.left_out) == (4, 0, 3, 1)
    assert len(memory) == 3


@pytest.mark.parametrize(
    "path",
    [
        *sorted((GOLDEN / "tmx").glob("*.tmx")),
        *sorted(MEMORIES.glob("*.tmx")),
        *sorted((GOLDEN / "po").glob("*.po")),
        *sorted((GOLDEN / "xliff").glob("*.x*lf*")),
    ],
    ids=lambda path: path.name,
)
def test_counts_add_up_for_every_bilingual_format(memory: TranslationMemory, path: Path) -> None:
    report = import_units(path, memory)
    assert report.units == report.added + report.present + report.left_out > 0
    assert report.added == len(memory)


def test_drafts_of_a_catalogue_are_not_imported(memory: TranslationMemory, tmp_path: Path) -> None:
    path = tmp_path / "en.po"
    path.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        'msgid "保存"\nmsgstr "Save"\n\n#, fuzzy\nmsgid "打开"\nmsgstr "Open"\n\nmsgid "关闭"\nmsgstr ""\n',
        "utf-8",
    )
    report = import_units(path, memory)
    assert (report.units, report.added, report.left_out) == (3, 1, 2)
    (unit,) = memory.units()
    assert (unit.source, unit.target, unit.origin, unit.following) == ("保存", "Save", "en.po", "打开")


XLIFF = (
    '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:mq="MQXliff"><file original="a"'
    ' datatype="x" source-language="zh" target-language="en"><body><trans-unit id="1" %s>%s</trans-unit>'
    "</body></file></xliff>"
)
GONE, ADDED = '<mrk mtype="x-sdl-deleted">', '<mrk mtype="x-sdl-added">'
MQ_GONE, MQ_ADDED = '<mrk mtype="x-mq-tc" mq:tctype="del">', '<mrk mtype="x-mq-tc" mq:tctype="ins">'
OLD = "<source>账旧簿。</source><target>The Gone.</target>"
NEW = '<source>账簿。</source><target state="final">The ledger.</target>'
XLIFF_2 = (
    '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="zh" trgLang="en"'
    ' xmlns:ctr="urn:oasis:names:tc:xliff:changetracking:2.0"><file id="f"><unit id="u"><ctr:changeTrack>'
    '<ctr:revisions appliesTo="target"><ctr:revision><ctr:item property="content">Gone.</ctr:item>'
    '</ctr:revision></ctr:revisions></ctr:changeTrack><segment state="final"><source>账簿。</source>'
    "<target>The ledger.</target></segment></unit></file></xliff>"
)
REVISED = {
    "trados.sdlxliff": XLIFF
    % (
        'approved="yes"',
        f'<source>账旧簿。</source><seg-source><mrk mtype="seg" mid="1">账{GONE}旧</mrk>簿。</mrk>'
        f'</seg-source><target state="final"><mrk mtype="seg" mid="1">The {GONE}Gone</mrk>{ADDED}ledger</mrk>'
        ".</mrk></target>",
    ),
    "memoq.mqxliff": XLIFF
    % (
        'mq:status="ManuallyConfirmed"',
        f"<source>账{MQ_GONE}旧</mrk>簿。</source>"
        f"<target>The {MQ_GONE}Gone</mrk>{MQ_ADDED}ledger</mrk>.</target>"
        f'<mq:minorversions><mq:historical-unit mq:status="ManuallyConfirmed">{OLD}</mq:historical-unit>'
        "</mq:minorversions>",
    ),
    "rejected.xlf": XLIFF % ('approved="yes"', f'{NEW}<alt-trans alttranstype="rejected">{OLD}</alt-trans>'),
    "tracked.xliff": XLIFF_2,
    "en.po": '#| msgid "账旧簿。"\nmsgid "账簿。"\nmsgstr "The ledger."\n\n'
    '#~ msgid "账旧簿。"\n#~ msgstr "The Gone."\n',
}


@pytest.mark.parametrize("name", REVISED)
def test_deleted_tracked_text_is_not_imported(memory: TranslationMemory, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(REVISED[name], "utf-8")
    import_units(tmp_path / name, memory)
    assert [(unit.source, unit.target) for unit in memory.units()] == [("账簿。", "The ledger.")]


@pytest.mark.slow
def test_a_finished_project_gives_its_confirmed_segments(memory: TranslationMemory, document: Path) -> None:
    opened = open_paths([document])
    first, second = opened.document.at(0), opened.document.at(1)
    opened.store.save(
        ChangeSet(
            (
                Edit(first.id, first.state, SegmentState("One.", Status.CONFIRMED)),
                Edit(second.id, second.state, SegmentState("Two.", Status.EDITED)),
            )
        )
    )
    path = opened.store.path
    with pytest.raises(ProjectError, match=r"“指南\.zh” has been open in this window"):
        import_units(path, memory)
    opened.store.close()
    report = import_units(path, memory)
    assert (report.units, report.added, report.left_out) == (12, 1, 11)
    (unit,) = memory.units()
    assert (unit.target, unit.previous, unit.following) == ("One.", "", second.source)
    assert unit.origin == document.name


@pytest.mark.slow
def test_units_have_the_languages_of_their_project(memory: TranslationMemory, document: Path) -> None:
    opened = open_paths([document])
    first, path = opened.document.at(0), opened.store.path
    done = SegmentState("Eins.", Status.CONFIRMED)
    opened.store.save(ChangeSet((Edit(first.id, first.state, done),)))
    opened.store.set_setting(LANGUAGES_SETTING, LanguagePair("zh", "de").to_text())
    opened.store.close()
    report = import_units(path, memory)
    assert (report.units, report.added, report.left_out) == (12, 0, 12)  # none into English
    assert import_units(path, memory, pair=LanguagePair("zho_Hans", "deu_Latn")).added == 1
    assert [unit.languages for unit in memory.units()] == [("zh", "de")]


@pytest.mark.parametrize("name", ["missing.tmx", "text.txt", "broken.tmx", "folder.tmx", "x.anaphora"])
def test_unreadable_files_are_reported_and_change_nothing(
    memory: TranslationMemory, tmp_path: Path, name: str
) -> None:
    (tmp_path / "text.txt").write_text("甲", "utf-8")
    good = (MEMORIES / "omegat.tmx").read_bytes()
    (tmp_path / "broken.tmx").write_bytes(good[:-30])
    (tmp_path / "folder.tmx").mkdir()
    (tmp_path / "x.anaphora").write_bytes(b"SQLite format 3\x00" + bytes(2000))
    memory.add([Unit("一", "one")])
    with pytest.raises(AnaphoraError) as problem:
        import_units(tmp_path / name, memory)
    assert problem.value.advice
    assert [unit.target for unit in memory.units()] == ["one"]


def large(path: Path, count: int) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.write('<tmx version="1.4"><header srclang="zh"/><body>')
        for number in range(count):
            file.write(
                f'<tu><tuv xml:lang="zh"><seg>第{number}句话</seg></tuv>'
                f'<tuv xml:lang="en"><seg>Sentence {number}</seg></tuv></tu>'
            )
        file.write("</body></tmx>")
    return path


@pytest.mark.slow
def test_cancelling_removes_imported_units(memory: TranslationMemory, tmp_path: Path) -> None:
    memory.add([Unit("一", "one")])
    path = large(tmp_path / "large.tmx", 2500)
    with pytest.raises(CancelledError):
        import_units(path, memory, step=given_up_if(lambda: len(memory) > 1000))
    assert [unit.target for unit in memory.units()] == ["one"]
    assert import_units(path, memory).added == 2500


def test_cancelling_ends_the_reading_of_a_catalogue(memory: TranslationMemory, tmp_path: Path) -> None:
    """Cancelling must not wait until 90,000 units are read."""
    path = tmp_path / "a.po"
    path.write_text("".join(f'msgid "账本{number}"\nmsgstr "t"\n\n' for number in range(200)), "utf-8")
    shares: list[float] = []
    with pytest.raises(CancelledError):
        import_units(path, memory, step=given_up_if(lambda: len(shares) > 5, shares.append))
    assert len(shares) == 6 and max(shares) < 0.2
    assert not len(memory)


def test_export_and_import_give_the_same_units(memory: TranslationMemory, tmp_path: Path) -> None:
    for name in ("omegat.tmx", "memoq.tmx", "trados.tmx"):
        import_units(MEMORIES / name, memory)
    out = tmp_path / "out.tmx"
    shares: list[float] = []
    assert export_units(out, memory, "1.0", step=shares.append) == len(memory) == 7
    file = MemoryFile.open(tmp_path / "other.sqlite")
    other = TranslationMemory("other", file)
    report = import_units(out, other)
    assert (report.added, report.left_out) == (7, 0)
    assert list(other.units()) == list(memory.units())
    file.close()


def test_cancelling_ends_the_wait_for_a_locked_project(memory: TranslationMemory, document: Path) -> None:
    opened = open_paths([document])
    project = opened.store.path
    opened.store.close()
    stop = threading.Event()
    with ProjectLock(project, works=False):
        threading.Timer(0.3, stop.set).start()
        begin = time.monotonic()
        with pytest.raises(CancelledError):
            import_units(project, memory, step=given_up_if(stop.is_set))
        assert 0.3 < time.monotonic() - begin < locks.LOCK_TIMEOUT / 2


def test_a_cancelled_export_leaves_the_old_file(memory: TranslationMemory, tmp_path: Path) -> None:
    memory.add([Unit("一", "one")])
    out = tmp_path / "out.tmx"
    out.write_text("old", "utf-8")
    with pytest.raises(CancelledError):
        export_units(out, memory, "1.0", step=given_up_if(lambda: True))
    assert out.read_text("utf-8") == "old" and list(tmp_path.glob("*.part")) == []
    with pytest.raises(ExportError):
        export_units(tmp_path / "none" / "out.tmx", memory, "1.0")


def test_units_longer_than_a_segment_are_left_out(
    memory: TranslationMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "MAX_UNIT_LENGTH", 10)
    monkeypatch.setattr(exchange, "MAX_TARGET_LENGTH", 20)
    path = tmp_path / "en.po"
    texts = [("账" * 10, "a" * 20), ("本" * 11, "b"), ("簿", "c" * 21), ("节", "d")]
    path.write_text("".join(f'msgid "{source}"\nmsgstr "{target}"\n\n' for source, target in texts), "utf-8")
    report = import_units(path, memory)
    # Neighbouring texts are limited too: the last unit but one has a previous text that is too long.
    assert (report.units, report.added, report.left_out) == (4, 1, 3)
    assert [unit.target for unit in memory.units()] == ["d"]


def test_an_export_contains_each_unit_in_each_context_once(memory: TranslationMemory, tmp_path: Path) -> None:
    memory.add([Unit("一", "one"), Unit("一", "one", following="二"), Unit("一", "One")])
    shares: list[float] = []
    out = tmp_path / "out.tmx"
    assert export_units(out, memory, "1.0", step=shares.append) == 3
    assert shares == [0.0]
