"""Changes of a draft that confirmed text explains, with invented attention and probabilities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from anaphora_nmt.pipeline.judging.explained import is_explained
from anaphora_nmt.quality.evidence import Evidence, EvidenceWord


def evidence(source: str, target: str, surprising: str = "") -> Evidence:
    """A word-by-word translation; the model alone would choose none of its words."""
    sources, targets = (
        [EvidenceWord(w, n, n + 1) for n, w in enumerate(t.split())] for t in (source, target)
    )
    steps = np.zeros(len(targets) + 1)
    strays = np.array([9.0 * (word.text == surprising) for word in targets] + [0.0])
    pieces = np.arange(len(sources)), np.arange(len(targets))
    attention = np.eye(len(targets) + 1, len(sources))
    read = (source, target, tuple(sources), tuple(targets), *pieces, steps, steps, steps, attention)
    return replace(Evidence(*read), strays=strays)


def explained(source: str, before: str, after: str, *confirmed: tuple[str, str]) -> bool:
    """True if a change with words improbable for the model alone is explained."""
    new = next((word for word in after.split() if word not in before.split()), "")
    pairs = [(target, lambda pair=(text, target): evidence(*pair)) for text, target in confirmed]
    return is_explained(evidence(source, after, new), evidence(source, before), pairs)


def test_a_new_word_with_the_same_source_in_a_confirmed_segment_is_explained() -> None:
    assert explained("他 关闭 窗口", "he closes windows", "he closes panes", ("窗口 很 大", "panes are big"))


def test_a_new_word_with_another_source_there_is_not_explained() -> None:
    assert not explained(
        "他 关闭 窗口", "he closes windows", "he closes eyes", ("眼睛 很 大", "eyes are big")
    )


def test_a_new_word_without_confirmed_text_is_not_explained() -> None:
    assert not explained(
        "他 关闭 窗口", "he closes windows", "he closes waists", ("窗口 很 大", "panes are big")
    )


def test_a_form_of_a_confirmed_word_is_explained() -> None:
    assert explained("他 关闭 窗口", "he closes windows", "he closes pane", ("窗口 很 大", "panes are big"))


def test_a_function_word_that_the_model_might_choose_itself_needs_no_explanation() -> None:
    source = "他 关闭 窗口"
    before = evidence(source, "the panes close")
    assert is_explained(evidence(source, "these panes close"), before, ())
    assert not is_explained(evidence(source, "the eyes close"), before, ())


def test_a_changed_negation_is_not_explained() -> None:
    confirmed = ("窗口 很 大", "panes are not big")
    assert not explained("他 关闭 窗口", "he not closes", "he closes panes", confirmed)


def test_a_change_that_drops_a_word_is_not_explained() -> None:
    assert not explained("他 关闭 窗口", "he closes windows", "he closes", ("窗口 很 大", "panes are big"))
