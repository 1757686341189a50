"""Changes of drafts by confirmed text are withheld if they are useless or harmful."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_nmt.pipeline.suggesting.draft_maker import repeats_more
from anaphora_nmt.types import SearchOptions, SourceSegment, WhatIf

CONTRACT = Path(__file__).parents[3] / "golden" / "genres" / "contract.jsonl"
PRICE, PAYMENT, TERM, GOODS = "5", "6", "12", 4
"""Segments of the contract; the last one is confirmed."""


@pytest.fixture(scope="module")
def contract(device: str) -> Iterator[tuple[Translator, str]]:
    """The contract, drafted up to the payment, and the reference of the confirmed segment."""
    (document,) = read_documents(CONTRACT)
    translator = Translator.load(embedded_model(), device, 1)
    segments = [SourceSegment(str(number), source) for number, (source, _) in enumerate(document.pairs)]
    translator.open_document("c", segments)
    for number in range(int(PAYMENT)):
        translator.translate("c", str(number))
    yield translator, document.pairs[GOODS][1]
    translator.close_document("c")


@pytest.mark.slow
def test_a_change_without_benefit_is_withheld(contract) -> None:
    translator, confirmed = contract
    before = translator.translate("c", PAYMENT)
    assert before.withheld == "", "nothing is confirmed"
    translator.remember("c", str(GOODS), confirmed)
    after = translator.translate("c", PAYMENT)
    assert after.text == before.text and after.withheld not in ("", after.text)
    price = translator.translate("c", PRICE)
    assert "this contract" in price.text and price.withheld == "", "it follows what was confirmed"
    several = translator.preview("c", (PAYMENT,), WhatIf(), SearchOptions(n_best=5))[0]
    assert several.alternatives[0] == several.withheld == after.withheld, "it is offered as an alternative"
    assert len(several.alternatives) == 4
    without = replace(SearchOptions(), memories={"confirmed": False})
    assert translator.preview("c", (PAYMENT,), WhatIf(), without)[0].text == before.text
    translator.forget("c", str(GOODS))
    assert translator.translate("c", PAYMENT).withheld == ""


@pytest.mark.slow
def test_a_draft_stays_if_the_memory_hardly_affects_it(contract) -> None:
    """The returned deposit has nothing to do with a court of justice."""
    translator, _ = contract
    (document,) = read_documents(CONTRACT)
    segments = [SourceSegment(str(number), source) for number, (source, _) in enumerate(document.pairs)]
    translator.open_document("whole", segments)
    drafts = [translator.translate("whole", each.id).text for each in segments]
    deposit, court = 18, 24
    translator.remember("whole", str(deposit), document.pairs[deposit][1])
    assert translator.translate("whole", str(court)).text == drafts[court]
    translator.close_document("whole")


@pytest.mark.slow
def test_a_remembered_word_does_not_replace_a_different_one(contract) -> None:
    """Goods come “after the signing of the contract” (签订后); secrets are kept after its end (终止后)."""
    translator, confirmed = contract
    before = translator.translate("c", TERM)
    assert "is terminated" in before.text
    translator.remember("c", str(GOODS), confirmed)
    after = translator.translate("c", TERM)
    assert after.text == before.text and "signing" in after.withheld
    translator.forget("c", str(GOODS))


@pytest.mark.slow
def test_a_word_confirmed_elsewhere_does_not_change_a_draft(contract, monkeypatch) -> None:
    """The earlier draft is used for the comparison without another search."""
    translator, confirmed = contract
    translator.remember("c", str(GOODS), confirmed)
    translator.translate("c", PAYMENT)
    searched: list[object] = []
    search = Drafter.draft

    def counted(*given):
        searched.append(given)
        return search(*given)

    monkeypatch.setattr(Drafter, "draft", counted)
    translator.remember("c", "3", "Both sides sign this zzyzx.")
    translator.translate("c", PAYMENT)
    assert len(searched) == 1
    for segment in ("3", str(GOODS)):
        translator.forget("c", segment)


def test_a_change_that_repeats_a_phrase_is_rejected() -> None:
    plain = "The third party pays according to the Agreement."
    assert repeats_more("Party B pays the date of the Agreement of the Agreement.", plain)
    assert not repeats_more("Party B pays according to the Agreement.", plain)
    assert not repeats_more("It goes on and on and on.", plain)
    assert not repeats_more("Of the contract of the contract, too.", "As of the contract of the contract.")
