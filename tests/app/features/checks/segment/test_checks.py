"""Each check reports an error once, fixes it where that is safe, and ignores correct text."""

from __future__ import annotations

import time

import pytest

from anaphora.core.language_pair import LanguagePair
from anaphora.features.checks.quality import check_target
from anaphora.features.checks.quick_fixes import fix_remark
from anaphora.features.checks.registry import GENERAL_FINDERS, WORDING_FINDERS
from anaphora.features.checks.segment.check import Finder

WRONG = [
    (
        "发邮件至 info@example.com。",
        "Send mail to inf@example.com.",
        "The e-mail address info@example.com is missing.",
    ),
    ("按 Ctrl+Shift+P 打开。", "Press Ctrl+P to open it.", "The keyboard key Ctrl+Shift+P is missing."),
    ("按 F5 键刷新。", "Press F6 to refresh.", "The keyboard key F5 is missing."),
    (
        "根据本协议，双方应履行义务。",
        "Under the terms of the Agreement of the Agreement, both parties perform.",
        "Repeated phrase: “of the Agreement”.",
    ),
    ("他说：“好。”就走了。", "He said “Good. and left.", "One of the pair “ ” is missing."),
    ('他说"好"，就走了。', 'He said "good and left.', 'One of the pair " " is missing.'),
    ("打开（文件）", "Open (the file", "One of the pair ( ) is missing."),
    (
        "如下开始训练：",
        "Start training:a",
        "The final punctuation differs from the source: “…t training:a”.",
    ),
    (
        "如下开始训练：",
        "Start training",
        "The final punctuation differs from the source: “…art training”.",
    ),
]
MENDED = {
    "Start training:a": "Start training:",
    "Start training": "Start training:",
    "Under the terms of the Agreement of the Agreement, both parties perform.": (
        "Under the terms of the Agreement, both parties perform."
    ),
}
"""Fixed texts of the targets that have a safe fix."""
RIGHT = [
    ("发邮件至 Info@Example.com。", "Send mail to info@example.com."),
    ("按 Ctrl + C 复制。", "Press Control-C to copy it."),
    ("按 F5 键刷新。", "Refresh by F5."),
    ("走啊走啊走，看啊看", "They went on and on and on, and looked and looked."),
    ("屏幕为 15 英寸。", 'The screen is 15" wide.'),
    ("他说：“第一章", "He said, “Chapter one"),
    ("他说：", "He said,"),
    ("如下所示：", "It is shown below."),
    ("::: tip 提示：", "::: tip Note:"),
    ("见文件 a.md：", "See the file a.md:"),
]


@pytest.mark.parametrize(("source", "target", "says"), WRONG)
def test_errors_are_reported_and_fixed(source: str, target: str, says: str) -> None:
    (remark,) = check_target(source, target)
    assert remark == says
    assert fix_remark(source, target, remark) == MENDED.get(target, "")


def test_many_numbers_are_counted_in_one_remark() -> None:
    source = "".join(f"第{n}条付{n * 137}元。" for n in range(1001, 1101))
    assert "200 numbers are missing." in check_target(source, "Party A shall pay.")
    added = " ".join(map(str, range(2001, 2101)))
    assert [str(each) for each in check_target("甲方付款。", f"Party A pays {added}.")].count(
        "100 numbers are not in the source."
    ) == 1


@pytest.mark.parametrize(("source", "target"), RIGHT)
def test_correct_translations_are_not_reported(source: str, target: str) -> None:
    assert check_target(source, target) == ()


@pytest.mark.slow
@pytest.mark.parametrize("find", [*GENERAL_FINDERS, *WORDING_FINDERS], ids=lambda find: find.__module__)
@pytest.mark.parametrize(
    "unit",
    ["1", "a", "a b ", "一年", "{a", "(", "“", "a@", "Ctrl+", "1% ", "不少于5名 5 "],
)
def test_long_texts_are_checked_quickly(find: Finder, unit: str) -> None:
    text, begin = unit * (50_000 // len(unit)), time.process_time()
    for pair in (LanguagePair(), LanguagePair("en", "de")):
        list(find(f"账{text}", text, pair))
    assert time.process_time() - begin < 1.5
