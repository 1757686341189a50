"""A dropped model is freed immediately, without the cyclic garbage collector."""

from __future__ import annotations

import gc
import weakref

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.types import SourceSegment


def test_no_cycle_keeps_the_weights_of_a_dropped_model() -> None:
    translator = Translator.load(embedded_model(), "cpu", 1)
    translator.open_document("d", [SourceSegment("1", "账本保存每个交易。")])
    translator.translate("d", "1")
    model = translator.corpus().drafter.model.base
    seen = [
        weakref.ref(each)
        for each in (translator, model, *model.encoder.children(), *model.decoder.children())
    ]
    gc.collect()
    assert not gc.isenabled(), "a test runs without the collector"
    del translator, model
    assert not any(each() is not None for each in seen)
