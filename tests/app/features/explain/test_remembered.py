"""Effects of remembered words on an output word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anaphora.features.explain.marking import (
    Effect,
    causes,
    effect_of,
    effective_uses,
    words_with_effect,
)
from anaphora_nmt.types import MemoryUse, TokenTrace


def use(influence: float | None, strength: float = 0.5, decisive: bool = False, **more: str) -> MemoryUse:
    return MemoryUse(
        "word_caches", more.get("label", "peer"), strength=strength, influence=influence, decisive=decisive,
        section=more.get("section", "topic"),
    )  # fmt: skip


def token(*uses: MemoryUse) -> TokenTrace:
    return TokenTrace(word="peer", start=0, end=4, log_probability=-0.5, attention=(1.0,), uses=uses)


@pytest.mark.parametrize(
    ("influence", "decisive", "effect"),
    [
        (None, False, Effect.NONE),
        (0.04, False, Effect.NONE),
        (-0.04, False, Effect.NONE),
        (0.05, False, Effect.SUPPORTING),
        (0.3, False, Effect.SUPPORTING),
        (-0.05, False, Effect.AGAINST),
        (-0.3, False, Effect.AGAINST),
        (0.3, True, Effect.DECISIVE),
        (-0.3, True, Effect.DECISIVE),
        (None, True, Effect.DECISIVE),
    ],
)
def test_effects_come_from_measurements(influence: float | None, decisive: bool, effect: Effect) -> None:
    one = use(influence, decisive=decisive)
    assert effect_of(one) is effect
    assert effective_uses(token(one)) == (() if effect is Effect.NONE else (one,))


def test_a_draft_has_an_effect_if_it_changed_or_opposed_a_word() -> None:
    def drafted(influence: float, decisive: bool = False) -> MemoryUse:
        return replace(use(influence, decisive=decisive), segment="17")

    confirmed = replace(drafted(0.5), confirmed=True)
    assert effective_uses(token(drafted(0.5), confirmed)) == (confirmed,), "the engine agrees with itself"
    for one in (drafted(0.5, decisive=True), drafted(-0.5)):
        assert effective_uses(token(one)) == (one,)
    changed = replace(token(drafted(0.5)), without_memory="node")
    assert effective_uses(changed) == changed.uses, "no other use is known to have changed it"


def test_words_that_changed_a_word_supported_it_unless_none_did() -> None:
    spoke, rival = use(0.3, decisive=True), use(-0.3, decisive=True, label="node")
    assert causes(token(spoke, rival, use(0.9))) == (spoke,)
    assert causes(token(rival)) == (rival,)
    assert causes(token(use(0.9))) == ()


def test_a_word_of_a_section_has_its_strongest_use() -> None:
    weak, strong, against = use(0.2), use(0.6), use(-0.4, label="node")
    elsewhere, unmeasured = use(0.9, section="recent"), use(None, decisive=True, label="page")
    twin = use(0.6, strength=0.1)
    tokens = [token(weak, elsewhere), token(strong, against), token(twin, use(0.3), use(0.01, label="quiet"))]
    assert words_with_effect(tokens, "word_caches", "topic") == {"peer": strong, "node": against}
    assert words_with_effect(tokens, "word_caches", "topic")["peer"] is strong, "the first of two equal ones"
    assert words_with_effect(tokens, "word_caches", "recent") == {"peer": elsewhere}
    assert words_with_effect(tokens, "confirmed", "topic") == {}
    little = use(0.5, label="page")
    assert words_with_effect([token(unmeasured), token(little)], "word_caches", "topic") == {"page": little}
    assert words_with_effect([token(little), token(unmeasured)], "word_caches", "topic") == {"page": little}
