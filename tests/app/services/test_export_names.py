"""Names proposed for exports, and what an export would hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.core.document import Document
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.services.export import default_destination, summarise


@pytest.mark.parametrize(
    ("name", "proposed"),
    [
        ("report.docx", "report.en.docx"),
        ("guide.zh.md", "guide.en.md"),
        ("guide.zh-CN.md", "guide.en.md"),
        ("说明.txt", "说明.en.txt"),
        ("tool.pot", "tool.en.po"),
    ],
)
def test_the_translation_stands_beside_the_original(name, proposed):
    assert default_destination(Path("/home/someone") / name) == Path("/home/someone") / proposed


@pytest.mark.parametrize(
    ("source", "target", "name", "proposed"),
    [
        ("en", "zho_Hans", "guide.en.md", "guide.zh.md"),
        ("en", "de", "guide.zh.md", "guide.zh.de.md"),
        ("xx", "", "tool.pot", "tool.translated.po"),
    ],
)
def test_the_name_says_the_language_of_the_project(source, target, name, proposed):
    assert default_destination(Path(name), LanguagePair(source, target)) == Path(proposed)


def test_a_summary_counts_targets_and_confirmations():
    document = Document(
        "d",
        [
            Segment("a", "甲", SegmentState("A", Status.CONFIRMED)),
            Segment("b", "乙", SegmentState("B", Status.DRAFT)),
            Segment("c", "丙"),
        ],
    )
    summary = summarise(document)
    assert (summary.segments, summary.translated, summary.confirmed) == (3, 2, 1)
