"""Issues are fixed only if there is one safe fix."""

from __future__ import annotations

import pytest

from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.term_entries import TargetTerm, TermEntry, Usage
from anaphora.features.checks.quality import check_others, check_target, check_terms_of
from anaphora.features.checks.quick_fixes import fix_remark, fix_remarks
from anaphora.features.terms.recognition import Recogniser
from anaphora.features.terms.usage import check_terms

MENDS = [
    ("乙方：王强。", "Party B:Wang Qiang.", "Party B: Wang Qiang."),
    ("账本有十五页。", "The ledger  has 15 pages.", "The ledger has 15 pages."),
    ("账本有页。", "The the ledger has pages.", "The ledger has pages."),
    ("账本，节点。", "The ledger，and the nodes。", "The ledger, and the nodes."),
    ("账本（旧）在这里。", "The ledger（old）is here。", "The ledger (old) is here."),
    (
        "账本。\n（节点）在这里。",
        "The ledger。\n（The nodes） are here。",
        "The ledger.\n(The nodes) are here.",
    ),
    ("打开《账本》文件。", "Open the 《Ledger》 file.", "Open the “Ledger” file."),
    ("账本在这里，好。", "The ledger is here , good.", "The ledger is here, good."),
    ("账本在这里吗？", "Is the ledger here.", "Is the ledger here?"),
    ("他问：“账本在这里吗？”", "He asked, “Is the ledger here.”", "He asked, “Is the ledger here?”"),
    ("你好，{name}，请进。", "Hello, {nombre}, come in.", "Hello, {name}, come in."),
    ("账本{1/}", "The ledger", "The ledger{1/}"),
    ("{1}账本{/1}", "The ledger", "{1}The ledger{/1}"),
    ("账本在这里。", "The ledger is {1}here{/1}.", "The ledger is here."),
    ("账本在这里。", "The ledger\u202e is here.", "The ledger is here."),
    ("账本在这里。", "The ledger\x07 is here.", "The ledger is here."),
]
UNSAFE = [
    ("共 42 个节点。", "There are nodes."),
    ("见{1}账本{/1}。", "See the ledger."),
    ("见 https://a.example/b。", "See the page."),
    ("账本在这里。", "The 账本 is here."),
    ("账本（旧）在这里。", "The ledger (old is here."),
    ("账本在这里。", ""),
]


@pytest.mark.parametrize(("source", "target", "wanted"), MENDS)
def test_safe_fixes_are_found(source: str, target: str, wanted: str) -> None:
    remarks = check_target(source, target)
    assert remarks
    assert fix_remarks(source, target, remarks) == wanted
    assert check_target(source, wanted) == ()


@pytest.mark.parametrize(("source", "target"), UNSAFE)
def test_issues_without_a_safe_fix_stay(source: str, target: str) -> None:
    remarks = check_target(source, target)
    assert remarks
    assert fix_remarks(source, target, remarks) == ""


def test_fixes_that_cause_other_errors_are_not_offered() -> None:
    source, target = "账本 %d 在 https://a.example/24 里。", "The ledger %s at https://a.example/24 is here."
    (missing, added) = check_target(source, target)
    assert {fix_remark(source, target, each) for each in (missing, added)} == {target.replace("%s", "%d")}
    clash = "The ledger https://a.example/%s 24%s."
    changed = "账本 https://a.example/%s 24%d。"
    assert all(fix_remark(changed, clash, each) == "" for each in check_target(source, clash))


@pytest.mark.parametrize("kind", [NoteKind.CONTEXT, NoteKind.PLURAL_FORM])
def test_translations_may_differ_in_other_contexts(kind: NoteKind) -> None:
    segments = [
        Segment(text, "打开文件", SegmentState(text, Status.EDITED), notes=(Note(kind, text),))
        for text in ("Open the file", "Open files")
    ]
    assert not check_others(segments)


def test_the_translation_used_elsewhere_is_inserted() -> None:
    texts = {
        "1": ("账本在这里。", "The ledger is here."),
        "2": ("账本在这里。", "The ledger is here."),
        "3": ("账本在这里。", "Here it is."),
        "4": ("第一次见到王志强。", "I saw Zhiqiang for the first time."),
        "5": ("又见到王志强。", "I saw Zhiqiang again."),
        "6": ("后来见到王志强。", "Later I saw Zhiqieng."),
    }
    segments = [
        Segment(key, source, SegmentState(target, Status.EDITED)) for key, (source, target) in texts.items()
    ]
    said = check_others(segments)
    assert set(said) == {"3", "6"}
    assert fix_remark(*texts["3"], said["3"][0]) == "The ledger is here."
    assert fix_remark(*texts["6"], said["6"][0]) == "Later I saw Zhiqiang."
    assert fix_remarks(*texts["6"], said["6"]) == "Later I saw Zhiqiang."
    assert fix_remarks(*texts["3"], said["3"]) == "", "fixing both would exchange the texts"
    long = (
        "The ledger that people know, which they read, write and keep in their nodes, is here for all of us."
    )
    segments = [
        Segment(
            str(number),
            "大家都知道、阅读、编写并保存在节点中的账本就在这里供我们所有人使用。",
            SegmentState(text, Status.EDITED),
        )
        for number, text in enumerate((long, long, "It is here."))
    ]
    ((remark,),) = check_others(segments).values()
    assert "…" in remark, "the remark shows the beginning"
    assert fix_remark(segments[2].source, segments[2].target, remark) == long, "the whole text is inserted"


def test_a_missing_tag_is_inserted_where_the_source_has_it() -> None:
    for source, wanted in (
        ("{1/}账本在这里。", "{1/}The ledger is here."),
        ("账本在这里。{1/}", "The ledger is here.{1/}"),
        ("账本{1/}在这里。", ""),
    ):
        (remark,) = check_target(source, "The ledger is here.")
        assert fix_remark(source, "The ledger is here.", remark) == wanted


def test_forbidden_translations_of_terms_are_replaced() -> None:
    target = "Open the setup; setups, too."
    segment = Segment("1", "打开配置。", SegmentState(target, Status.EDITED))
    entry = TermEntry("配置", (TargetTerm("configuration"), TargetTerm("setup", Usage.FORBIDDEN)))
    found = Recogniser((entry,)).find(segment.source)
    (remark,) = check_terms_of(segment, check_terms(found, target))
    assert fix_remark(segment.source, target, remark) == "Open the configuration; configurations, too."
