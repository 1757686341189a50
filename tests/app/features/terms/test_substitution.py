"""Forbidden translations of terms are replaced if there is one safe replacement."""

from __future__ import annotations

import pytest

from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.term_entries import TargetTerm, TermEntry, Usage
from anaphora.features.checks.quality import check_terms_of
from anaphora.features.checks.quick_fixes import fix_remark, fix_remarks
from anaphora.features.terms.recognition import Recogniser
from anaphora.features.terms.usage import check_terms, substitute

ENTRIES = (
    TermEntry("配置", (TargetTerm("configuration"), TargetTerm("setup", Usage.FORBIDDEN))),
    TermEntry(
        "账本",
        (
            TargetTerm("ledger"),
            TargetTerm("register", Usage.ADMITTED),
            TargetTerm("account", Usage.FORBIDDEN),
            TargetTerm("the book", Usage.FORBIDDEN),
        ),
    ),
    TermEntry("缓存", (TargetTerm("cache"), TargetTerm("buffer"), TargetTerm("store", Usage.FORBIDDEN))),
    TermEntry("数据集", (TargetTerm("dataset"),)),
    TermEntry("世界状态", (TargetTerm("world state"),)),
    TermEntry("时刻", (TargetTerm("hour"), TargetTerm("moment", Usage.FORBIDDEN))),
    TermEntry("配置向导", (TargetTerm("setup wizard"),)),
)
MENDS = [
    ("打开配置。", "Open the setup.", "Open the configuration."),
    (
        "打开配置。",
        "Setups are opened; the setup is one.",
        "Configurations are opened; the configuration is one.",
    ),
    ("打开账本。", "Accounts and the book.", "Ledgers and ledger."),
    ("打开账本。", "An account is an account.", "A ledger is a ledger."),
]
UNSAFE = [
    ("打开配置。", "Open the layout."),
    ("打开配置。", "SETUP of it."),
    ("打开账本。", "They will account for it."),
    ("打开账本。", "To account for it."),
    ("打开账本。", "Accounting for it."),
    ("打开缓存。", "Open the store."),
    ("一个时刻。", "A moment."),
    ("配置和配置向导。", "The setup wizard and the setup."),
]


def remarks_of(source: str, target: str):
    segment = Segment("1", source, SegmentState(target, Status.EDITED))
    return check_terms_of(segment, check_terms(Recogniser(ENTRIES).find(source), target))


@pytest.mark.parametrize(("source", "target", "wanted"), MENDS)
def test_forbidden_translations_are_replaced(source: str, target: str, wanted: str) -> None:
    (remark,) = remarks_of(source, target)
    assert fix_remark(source, target, remark) == wanted
    assert remarks_of(source, wanted) == ()


@pytest.mark.parametrize(("source", "target"), UNSAFE)
def test_translations_without_a_safe_replacement_stay(source: str, target: str) -> None:
    (remark,) = remarks_of(source, target)
    assert fix_remark(source, target, remark) == ""


def test_terms_are_fixed_in_every_language() -> None:
    source, target = "打开配置，数据集在这里。", "Open the setup, the dataset is here ."
    remarks = [each.localised(lambda text: f"→ {text}") for each in remarks_of(source, target)]
    assert fix_remarks(source, target, remarks) == "Open the configuration, the dataset is here ."
    changed = target.replace("Open", "First open")
    assert fix_remarks(source, changed, remarks) == "First open the configuration, the dataset is here ."


def test_the_longer_of_two_terms_is_replaced_first() -> None:
    pairs = (("setup", "configuration"), ("setup wizard", "assistant"))
    for some in (pairs, pairs[::-1]):
        assert substitute("The setup wizard and the setup.", some) == "The assistant and the configuration."
    assert substitute("The setups.", pairs) == "The setups.", "whole words only"
