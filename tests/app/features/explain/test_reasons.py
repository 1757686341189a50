"""The reasons for a text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anaphora.features.explain.marking import Effect, reasons
from anaphora_nmt.types import Explanation, MemoryUse, MemoryVersion, MemoryView, SourceWord, TokenTrace

USE = MemoryUse("confirmed", "contract", "2", 0.7, 3.0, confirmed=True, decisive=True, translates="的合同")
TEXT = "known in the contract"


def explained(word: str, plain: str | None = None, use: MemoryUse = USE) -> Explanation:
    """An explanation of a text whose last word has these uses, with the draft without memory."""
    source = (SourceWord("履行", 0, 2), SourceWord("的", 2, 3), SourceWord("合同", 3, 5))
    token = TokenTrace(word, 13, 13 + len(word), -0.1, (0.1, 0.2, 0.7), (use,), without_memory="deal")
    view = MemoryView("9", MemoryVersion("d", 1))
    return Explanation("9", TEXT, source, (token,), view, draft_without_memory=plain)


def test_a_reason_has_the_source_words_here_and_there() -> None:
    (reason,) = reasons(explained("contract"))
    assert (reason.source, reason.words, reason.effect) == ("合同", ("contract",), Effect.DECISIVE)


def test_words_of_the_draft_without_memory_are_not_decided() -> None:
    (brought,) = reasons(explained("contract", "known in the deal"))
    assert brought.effect is Effect.DECISIVE
    (there,) = reasons(explained("contract", "The parties are known in the contract"))
    assert there.effect is Effect.SUPPORTING, "the search finds the word without memory too"


def test_an_ignored_remembered_word_is_a_reason() -> None:
    merely = replace(USE, decisive=False)
    assert reasons(explanation_of(("agreement", merely))) == (), "it supported another word"
    assert reasons(replace(explained("contract"), tokens=())) == ()


def test_decisive_reasons_come_first_then_stronger_ones() -> None:
    def token(word: str, start: int, *uses: MemoryUse) -> TokenTrace:
        return TokenTrace(word, start, start + len(word), -0.1, (0.1, 0.2, 0.7), uses)

    def use(label: str, influence: float, decisive: bool = False, segment: str = "2") -> MemoryUse:
        return MemoryUse("confirmed", label, segment, 0.7, influence, confirmed=True, decisive=decisive)

    tokens = (
        token("known", 0, use("known", 0.2), use("known", 0.01)),
        token("contract", 6, use("contract", 0.4), use("nothing", 2.0, segment="")),
        token("party", 15, use("party", 0.9)),
        token("Contract", 21, use("Contract", 0.3, decisive=True)),
        token("known", 30, use("known", -0.0)),
    )
    explanation = replace(explained("contract"), text="known contract party Contract known", tokens=tokens)
    found = reasons(explanation)
    assert [(each.effect, each.words, each.numbers) for each in found] == [
        (Effect.DECISIVE, ("contract", "Contract"), (1, 3)),
        (Effect.SUPPORTING, ("party",), (2,)),
        (Effect.SUPPORTING, ("known",), (0,)),
    ]
    assert found[0].use.influence == 0.3, "the decisive use, although another one is stronger"


def explanation_of(*pairs: tuple[str, MemoryUse]) -> Explanation:
    """An explanation of words that each have a use."""
    text = " ".join(word for word, _ in pairs)
    source = (SourceWord("合同", 0, 2), SourceWord("租约", 2, 4))
    tokens, place = [], 0
    for word, use in pairs:
        tokens.append(TokenTrace(word, place, place + len(word), -0.1, (0.5, 0.5), (use,)))
        place += len(word) + 1
    view = MemoryView("9", MemoryVersion("d", 1))
    return Explanation("9", text, source, tuple(tokens), view)


def test_a_word_remembered_repeatedly_is_one_reason() -> None:
    unmeasured, weak, strong, supporting = (
        replace(USE, influence=None),
        replace(USE, influence=0.5, segment="3"),
        replace(USE, influence=2.0, segment="4"),
        replace(USE, influence=9.0, decisive=False),
    )
    words = ("Contract", "contracts", "contract", "contract")
    (reason,) = reasons(explanation_of(*zip(words, (unmeasured, weak, strong, supporting), strict=True)))
    assert reason.use == strong and reason.effect is Effect.DECISIVE
    assert (reason.words, reason.numbers) == (("Contract", "contracts", "contract"), (0, 1, 2, 3))
    (measured,) = reasons(explanation_of(("contract", unmeasured), ("contracts", weak)))
    assert measured.use == weak
    (first,) = reasons(explanation_of(("contract", replace(strong, segment="5")), ("contract", strong)))
    assert first.use.segment == "5", "the first of two equal ones"


def test_words_without_segment_and_numbers_are_not_reasons() -> None:
    merely = replace(USE, decisive=False)
    assert len(reasons(explanation_of(("contract", merely)))) == 1
    assert reasons(explanation_of(("contract", replace(merely, segment="")))) == ()
    assert reasons(explanation_of(("12", replace(merely, label="12", translates="12")))) == ()


@pytest.mark.parametrize(
    ("word", "use"),
    [
        ("but", replace(USE, label="but", segment="17")),
        (",", replace(USE, label=",")),
        ("crowd", replace(USE, label="crow")),
        ("12", replace(USE, label="12", translates="12")),
        ("contract", replace(USE, segment="", section="topic", confirmed=False)),
        ("contract", replace(USE, confirmed=False)),
    ],
)
def test_the_cause_of_a_word_is_named_for_every_kind(word: str, use: MemoryUse) -> None:
    (reason,) = reasons(explained(word, use=use))
    assert (reason.use, reason.words, reason.effect) == (use, (word,), Effect.DECISIVE)
    (reason,) = reasons(explained(word, "known in the deal", use))
    assert reason.effect is Effect.DECISIVE
    assert reasons(explanation_of((word, replace(use, decisive=False)))) == (), "it only supported the word"


def test_a_draft_that_agrees_with_a_word_is_not_a_reason() -> None:
    drafted = replace(USE, confirmed=False)
    assert reasons(explanation_of(("contract", replace(drafted, decisive=False)))) == ()
    assert reasons(explained("contract", "They are known in the contract", drafted)) == (), (
        "it is there anyway"
    )
    both = reasons(explanation_of(("contract", drafted), ("contract", replace(USE, decisive=False))))
    assert [(each.effect, each.use.confirmed, each.numbers) for each in both] == [
        (Effect.DECISIVE, False, (0,)),
        (Effect.SUPPORTING, True, (1,)),
    ]
