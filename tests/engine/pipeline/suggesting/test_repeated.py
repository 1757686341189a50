"""A source that was confirmed before gets the confirmed text as its draft."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.types import MemoryRule, SearchOptions, SourceSegment, SourceTerm

SOURCE, OWN = "单击<b>确定</b>按钮 3 次。", "Hit  <b>Fine</b>, thrice – 3 times!"
TEXTS = (SOURCE, "张量的形状。", SOURCE, SOURCE, SOURCE + "谢谢。", SOURCE)
GREEDY = SearchOptions(beam_size=1)
OFF = replace(GREEDY, memories={"confirmed": False})


@pytest.fixture()
def opened(translator: Translator) -> Iterator[Translator]:
    translator.open_document("r", [SourceSegment(str(n), text) for n, text in enumerate(TEXTS)])
    translator.remember("r", "0", OWN)
    yield translator
    translator.close_document("r")


def draft(translator: Translator, place: int, options: SearchOptions = GREEDY) -> str:
    return translator.translate("r", str(place), options).text


def test_the_confirmed_text_returns_only_for_the_same_source(opened: Translator) -> None:
    again = opened.translate("r", "2", GREEDY)
    assert again.text == OWN and again.quality is not None and again.segment == "2"
    assert draft(opened, 4) != OWN and draft(opened, 2, OFF) != OWN
    opened.remember("r", "3", "Press it.")
    assert (draft(opened, 2), draft(opened, 5)) == (OWN, "Press it."), "the last earlier segment"
    opened.forget("r", "3")
    assert draft(opened, 5) == OWN
    opened.forget("r", "0")
    assert OWN not in (draft(opened, 2), draft(opened, 5))


def test_rules_and_terms_come_first(opened: Translator) -> None:
    opened.steer("r", [MemoryRule("thrice", weight=4.0, pinned=True), MemoryRule("nothing", weight=0.0)])
    assert draft(opened, 2) == OWN
    for rule in (MemoryRule(segment="0", weight=0.0), MemoryRule("thrice", weight=0.5)):
        opened.steer("r", [rule])
        assert draft(opened, 2) != OWN
    opened.steer("r", [MemoryRule("thrice", instead="often")])
    assert draft(opened, 2) != OWN
    opened.steer("r", [])
    start = SOURCE.index("按钮")
    wanted = SourceTerm(start, start + 2, ("button",))
    assert "button" in opened.translate("r", "2", GREEDY, None, [wanted]).text
    assert opened.translate("r", "2", GREEDY, None, [replace(wanted, forms=("fine",))]).text == OWN
    banned = replace(wanted, forms=(), forbidden=("thrice",))
    assert "thrice" not in opened.translate("r", "2", GREEDY, None, [banned]).text


def test_repeats_survive_resegmentation_and_apply_to_corpora(opened: Translator) -> None:
    cut = [SourceSegment("a", TEXTS[1]), *(SourceSegment(f"s{n}", TEXTS[n]) for n in (0, 2, 4))]
    opened.resegment_document("r", cut, {"0": "s0", "2": "s2"})
    assert opened.translate("r", "s2", GREEDY).text == OWN
    drafts = opened.corpus().translate([TEXTS[:3]], GREEDY, [[OWN, None, None]])[0]
    assert drafts[2] == OWN != drafts[1]
    plain = opened.corpus().translate([TEXTS[:3]], OFF, [[OWN, None, None]])[0]
    assert plain[2] == plain[0] != OWN
