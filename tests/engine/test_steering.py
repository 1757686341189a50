"""A user's rules, packs and previews with the included model: they work and can be undone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.errors import SteeringError
from anaphora_nmt.types import (
    MemoryPack,
    MemoryRule,
    SearchOptions,
    SourceSegment,
    WhatIf,
    rules_from_plain,
    rules_to_plain,
)

CONFIRMED = (
    ("训练循环更新模型的参数。", "The training cycle updates the parameters of the model."),
    ("编写一个基本训练循环。", "Write a basic training cycle."),
    ("张量的形状。", "The shape of the hypertensor."),
)
LATER = ("编写一个自定义训练循环。", "打印张量的形状。", "在训练循环中打印损失。")
PLACES = [str(len(CONFIRMED) + number) for number in range(len(LATER))]
GREEDY = SearchOptions(beam_size=1)
OFF = SearchOptions(beam_size=1, memories=None)
CONFIRMED_ALONE = SearchOptions(beam_size=1, memories={"word_caches": False})
"""Only one memory, because a rule affects all memories, but an influence only one."""
CYCLE = "Write a custom training cycle."


def open_lines(translator: Translator, name: str, confirmed: bool = True) -> None:
    sources = [*(source for source, _ in CONFIRMED), *LATER]
    translator.open_document(name, [SourceSegment(str(n), text) for n, text in enumerate(sources)])
    for number, (_, target) in enumerate(CONFIRMED if confirmed else ()):
        translator.remember(name, str(number), target)


@pytest.fixture()
def opened(translator: Translator) -> Iterator[Translator]:
    open_lines(translator, "d")
    yield translator
    translator.close_document("d")
    translator.close_document("other")


def drafts(translator: Translator, options: SearchOptions = GREEDY, name: str = "d") -> list[str]:
    return [translator.translate(name, place, options).text for place in PLACES]


def log_probability(translator: Translator, text: str = CYCLE, word: str = "cycle") -> float:
    tokens = translator.explain("d", PLACES[0], text, influence=False, options=CONFIRMED_ALONE).tokens
    return next(token.log_probability for token in tokens if token.word == word)


def test_a_rules_effect_equals_the_measured_influence(opened: Translator) -> None:
    explanation = opened.explain("d", PLACES[0], CYCLE, options=CONFIRMED_ALONE)
    token = next(t for t in explanation.tokens if t.word == "cycle")
    use = next(use for use in token.uses if use.label == "cycle")
    assert use.influence is not None and use.influence > 1
    opened.steer("d", [MemoryRule("cycle", weight=0.0)])
    assert log_probability(opened) == pytest.approx(token.log_probability - use.influence, abs=1e-4)
    for each in use.occurrences:
        assert each.influence is not None
        opened.steer("d", [MemoryRule("cycle", each.segment, weight=0.0)])
        assert log_probability(opened) == pytest.approx(token.log_probability - each.influence, abs=1e-4)


def test_a_weight_multiplies_the_odds_of_following(opened: Translator) -> None:
    def share() -> float:
        tokens = opened.explain("d", PLACES[0], CYCLE, influence=False).tokens
        return next(t.share_of("confirmed") for t in tokens if t.word == "cycle")

    before, at_first = share(), log_probability(opened)
    opened.steer("d", [MemoryRule("cycle", weight=1.0)])
    assert share() == before and log_probability(opened) == at_first
    shares = []
    for weight in (0.25, 4.0):
        opened.steer("d", [MemoryRule("cycle", weight=weight)])
        shares.append(share())
    assert shares[0] < before < shares[1]
    opened.steer("d", [MemoryRule("cycle", weight=9.0), MemoryRule("cycle", "0"), MemoryRule("cycle", "1")])
    assert share() == before, "the last matching rule counts"


@pytest.mark.slow
def test_a_replaced_word_is_remembered_like_a_confirmed_one(opened: Translator) -> None:
    text = "Write a custom training round."
    opened.steer("d", [MemoryRule("cycle", "1", instead="round"), MemoryRule("cycle", "0", instead="round")])
    corrected, revised = log_probability(opened, text, "round"), drafts(opened)
    opened.remember("d", "0", CONFIRMED[0][1])  # confirmed again: corrected again
    assert log_probability(opened, text, "round") == corrected
    opened.steer("d", [])
    assert log_probability(opened, text, "round") < corrected - 1
    for number, (_, target) in enumerate(CONFIRMED):
        opened.remember("d", str(number), target.replace("cycle", "round"))
    assert log_probability(opened, text, "round") == pytest.approx(corrected, abs=1e-5)
    assert drafts(opened) == revised


RULES = (
    (MemoryRule("cycle", weight=0.0),),
    (MemoryRule("hypertensor", instead="supertensor"),),
    (MemoryRule(segment="2", weight=0.01), MemoryRule("the", pinned=True)),
)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.slow
def test_a_preview_equals_the_later_drafts_and_can_be_undone(
    opened: Translator, rules: Sequence[MemoryRule]
) -> None:
    first, version = drafts(opened), opened.translate("d", PLACES[0], GREEDY).memory
    previewed = opened.preview("d", PLACES, WhatIf(rules=tuple(rules)), GREEDY)
    assert drafts(opened) == first and opened.translate("d", PLACES[0], GREEDY).memory == version
    opened.steer("d", rules_from_plain(json.loads(json.dumps(rules_to_plain(rules)))))
    assert drafts(opened) == [draft.text for draft in previewed] != first
    opened.steer("d", ())
    assert drafts(opened) == first


@pytest.mark.slow
def test_a_preview_can_switch_a_memory_off(opened: Translator) -> None:
    first = drafts(opened)
    off = opened.preview("d", PLACES, WhatIf(), OFF)
    assert "cycle" in first[0] and "hypertensor" in first[1]
    assert [draft.text for draft in off] == drafts(opened, OFF)
    assert "hypertensor" not in off[1].text and drafts(opened) == first


@pytest.mark.slow
def test_a_document_reads_the_memory_of_another(opened: Translator) -> None:
    open_lines(opened, "other", confirmed=False)
    fresh = drafts(opened, name="other")
    opened.bring_in("other", [MemoryPack("of d", CONFIRMED)])
    assert drafts(opened, name="other") == drafts(opened) != fresh
    token = next(t for t in opened.explain("other", PLACES[0], CYCLE).tokens if t.word == "cycle")
    assert {each.segment for each in token.uses[0].occurrences} == {"of d#1", "of d#2"}
    opened.steer("other", [MemoryRule(segment=f"of d#{number}", weight=0.0) for number in (1, 2)])
    assert "cycle" not in drafts(opened, name="other")[0]
    opened.steer("other", [])
    opened.bring_in("other", [])
    assert drafts(opened, name="other") == fresh


def test_a_pack_is_read_like_its_document(translator: Translator) -> None:
    """王强 from the first pair becomes a placeholder; the second pair translates 阿巴丹 differently."""
    pairs = (
        ("王强说：训练循环很短。", "The training cycle is short, Wang Qiang said."),
        ("王强在阿巴丹编写训练循环。", "Wang Qiang writes the training cycle at home."),
    )
    sources = [*(source for source, _ in pairs), LATER[0]]
    segments = [SourceSegment(str(number), text) for number, text in enumerate(sources)]
    for name in ("d", "other"):
        translator.open_document(name, segments)
    for number, (_, target) in enumerate(pairs):
        translator.remember("d", str(number), target)
    translator.bring_in("other", [MemoryPack("of d", pairs)])
    traces = [translator.explain(name, "2", CYCLE, influence=False).tokens for name in ("d", "other")]
    confirmed, brought = ([token.log_probability for token in tokens] for tokens in traces)
    assert brought == confirmed
    translator.close_document("d")
    translator.close_document("other")


def test_rules_stay_with_their_segments_when_others_are_split(opened: Translator) -> None:
    opened.steer("d", [MemoryRule("cycle", "0", weight=0.0), MemoryRule("Write", "1"), MemoryRule("the")])
    segments = [SourceSegment("a", CONFIRMED[0][0]), SourceSegment("b", LATER[0])]
    opened.resegment_document("d", segments, {"0": "a"})
    assert opened.opened("d").memory.rules == (MemoryRule("cycle", "a", weight=0.0), MemoryRule("the"))


def test_packs_merge() -> None:
    pack = MemoryPack("names", CONFIRMED)
    assert MemoryPack.from_bytes(pack.to_bytes()) == pack
    merged = pack.merged(MemoryPack("more", (CONFIRMED[1], ("秘密", "The Secret"), ("文件", "a file"))))
    assert merged.pairs == (*CONFIRMED, ("秘密", "The Secret"), ("文件", "a file"))


PACK = b'{"format": "anaphora-memory-pack", "version": 1, "name": "n", "pairs": [["a", "b"]]}'
CHANGED = ((b": 1", b": 2"), (b'"b"', b"1"), (b', "b"', b""), (b'"n"', b"0"), (b"pairs", b"two"), (b"}", b""))


@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"{}", b"[1]", b"[" * 100_000, *(PACK.replace(*change) for change in CHANGED)]
)
def test_a_file_that_is_not_a_pack_is_refused(content: bytes) -> None:
    assert MemoryPack.from_bytes(PACK).pairs == (("a", "b"),)
    with pytest.raises(SteeringError, match="not a memory pack"):
        MemoryPack.from_bytes(content)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"word": 1},
        {"word": "a", "weight": -1.0},
        {"word": "a", "weight": float("nan")},
        {"word": "a", "x": 1},
        {"segment": "0", "instead": "a"},
    ],
)
def test_an_invalid_rule_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(SteeringError):
        MemoryRule.from_plain(values)


@pytest.mark.slow
def test_topic_rules_remove_only_topic_words(opened: Translator) -> None:
    text, reads_topic = "Write a custom training manifold.", SearchOptions(memories={"word_caches": True})

    def topic() -> list[str]:
        return [each.label for each in opened.memory("d", "0").section("word_caches", "topic").entries]

    def likelihood() -> float:
        tokens = opened.explain("d", PLACES[0], text, False, options=reads_topic).tokens
        return next(token.log_probability for token in tokens if token.word == "manifold")

    before, as_it_was = topic(), likelihood()
    rules = (MemoryRule(before[1], weight=0.0, topic=True),)
    opened.steer("d", rules_from_plain(json.loads(json.dumps(rules_to_plain(rules)))))
    assert topic() == [before[0], *before[2:]]
    opened.steer("d", [MemoryRule("cycle", topic=True, weight=0.0)])
    assert "cycle" in {use.label for t in opened.explain("d", PLACES[0], CYCLE).tokens for use in t.uses}
    opened.steer("d", [MemoryRule(before[0], weight=0.0)])
    assert topic() == before, "other rules do not affect the topic"
    opened.steer("d", [])
    assert (topic(), likelihood()) == (before, as_it_was)
    for wrong in ({"segment": "0"}, {"pinned": True}, {"instead": "x"}, {"word": ""}):
        with pytest.raises(SteeringError):
            MemoryRule(**{"word": "cycle", "topic": True, **wrong})  # type: ignore[arg-type]
