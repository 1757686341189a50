"""Translating a file from reading to writing with a double of the engine."""

# mypy: disable-error-code="arg-type, return-value"
# The double of a translator has only the parts used here.
from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from memoryless_translator import MemorylessTranslator

from anaphora.cli.headless import translate_file
from anaphora.core.drafts import Proposals
from anaphora.core.errors import ExportError
from anaphora.formats.base.format import FormatError
from anaphora_nmt.errors import Cancelled
from anaphora_nmt.types import (
    DraftQuality,
    EngineInfo,
    MemoryVersion,
    SearchOptions,
    SourceSegment,
    SourceTerm,
    Suggestion,
)


class Upper(MemorylessTranslator):
    """A translator that returns "T<number>" with the source's numbers, and records its calls."""

    info = EngineInfo("upper", "cpu", 1, "float32", unlike_below=0.4)

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.asked: list[str] = []
        self.closed = 0
        self.quality: DraftQuality | None = None

    def open_document(self, document: str, segments: Sequence[SourceSegment]) -> MemoryVersion:
        self.opened = [segment.text for segment in segments]
        self.most = [segment.most for segment in segments]
        self._ids = {segment.id: segment.text for segment in segments}
        return MemoryVersion(document, 0)

    def translate(
        self,
        document: str,
        segment: str,
        options: SearchOptions = SearchOptions(),
        cancel: Callable[[], bool] | None = None,
        terms: Sequence[SourceTerm] = (),
    ) -> Suggestion:
        if cancel is not None and cancel():
            raise Cancelled
        self.asked.append(self._ids[segment])
        return Suggestion(
            segment, f"T{len(self.asked)}.", 0.0, MemoryVersion(document, 0), ("doubtful",), (), self.quality
        )

    def close_document(self, document: str) -> None:
        self.closed += 1


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    path = tmp_path / "guide.md"
    path.write_text("# 标题\n\n第一句。English only. 有 42 个。\n", "utf-8")
    return path


def test_a_file_is_translated_in_order(guide: Path, tmp_path: Path) -> None:
    engine, seen = Upper(), []
    report = translate_file(
        guide, tmp_path / "out.md", engine, progress=lambda done, total: seen.append((done, total))
    )
    assert engine.opened == ["标题", "第一句。", "English only.", "有 42 个。"]
    assert engine.asked == ["标题", "第一句。", "有 42 个。"]
    assert (tmp_path / "out.md").read_text("utf-8") == "# T1.\n\nT2. English only. T3.\n"
    assert (report.segments, report.translated) == (4, 3)
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert engine.closed == 1
    messages = [message for _, message in report.findings]
    assert messages.count("doubtful") == 3 and "The number 42 is missing." in messages


def test_cancelling_writes_nothing(guide: Path, tmp_path: Path) -> None:
    engine = Upper()

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        translate_file(guide, tmp_path / "out.md", engine, progress=stop)
    assert engine.closed == 1 and not (tmp_path / "out.md").exists()


def test_a_document_without_chinese_is_copied_without_an_engine(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"Nothing to do.\r\n")
    engine = Upper()
    report = translate_file(path, tmp_path / "b.txt", engine)
    assert (tmp_path / "b.txt").read_bytes() == path.read_bytes()
    assert (engine.opened, engine.closed, report.segments) == ([], 0, 1)


def test_errors_describe_the_problem(guide: Path, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="does not exist"):
        translate_file(tmp_path / "none.docx", tmp_path / "out.docx", Upper())
    engine = Upper()
    for destination, message in (
        (tmp_path / "none" / "out.md", "does not exist"),
        (tmp_path / "out.docx", "must end in “.md”"),
        (tmp_path, "could not be written"),
        (guide, "the original itself"),
    ):
        with pytest.raises(ExportError, match=message):
            translate_file(guide, destination, engine)
    assert engine.opened == []  # reported before the work
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(ExportError, match="could not be written"):
        translate_file(guide, tmp_path / "folder.md", engine)


def test_a_catalogue_keeps_translations_and_gets_drafts(tmp_path: Path) -> None:
    template = tmp_path / "tool.pot"
    template.write_text(
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        'msgid "第一句。"\nmsgstr ""\n\nmsgid "第二句。"\nmsgstr "Second."\n\nmsgid "Open"\nmsgstr ""\n',
        "utf-8",
    )
    engine, catalogue = Upper(), tmp_path / "tool.po"
    report = translate_file(template, catalogue, engine)
    assert engine.asked == ["第一句。"] and (report.translated, report.segments) == (1, 3)
    assert catalogue.read_text("utf-8").endswith(
        '#, fuzzy\nmsgid "第一句。"\nmsgstr "T1."\n\nmsgid "第二句。"\nmsgstr "Second."\n\n'
        'msgid "Open"\nmsgstr ""\n'
    )


def test_doubtful_drafts_are_listed(tmp_path: Path) -> None:
    engine, path = Upper(), tmp_path / "a.txt"
    engine.quality = DraftQuality(0.3, True)
    path.write_text("一。\n" * 12, "utf-8")
    report = translate_file(path, tmp_path / "b.txt", engine)
    assert report.doubtful == (*range(1, 13),) and report.translated == 12
    engine.quality = DraftQuality(0.5)
    report = translate_file(path, tmp_path / "c.txt", engine)
    assert not report.doubtful


def test_length_limits_of_a_file_reach_the_engine(tmp_path: Path) -> None:
    catalogue = tmp_path / "a.po"
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    catalogue.write_text(
        header + '#. Max 20 characters\nmsgid "保存"\nmsgstr ""\n\nmsgid "打开"\nmsgstr ""\n', "utf-8"
    )
    engine = Upper()
    translate_file(catalogue, tmp_path / "b.po", engine)
    assert engine.most == [20, 0]


def test_proposals_are_listed_and_left_out_of_bilingual_files(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("一。\n二。\n", "utf-8")
    for choice, written in ((Proposals.EMPTY, "\n\n"), (Proposals.WRITE, "T1.\nT2.\n")):
        engine = Upper()
        engine.quality = DraftQuality(0.3, True, unusable=True)
        translate_file(path, tmp_path / "b.txt", engine, proposals=choice)
        assert (tmp_path / "b.txt").read_text("utf-8") == written
    report = translate_file(path, tmp_path / "b.txt", engine)
    assert (tmp_path / "b.txt").read_text("utf-8") == "一。\n二。\n"
    assert report.proposed == (1, 2) and report.doubtful == () and report.translated == 2
    catalogue = tmp_path / "a.po"
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    catalogue.write_text(header + 'msgid "保存"\nmsgstr ""\n', "utf-8")
    report = translate_file(catalogue, tmp_path / "b.po", engine)
    assert report.proposed == (1,)
    assert (tmp_path / "b.po").read_text("utf-8").endswith('msgid "保存"\nmsgstr ""\n')
