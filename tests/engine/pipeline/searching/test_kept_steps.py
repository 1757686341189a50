"""Cached steps speed up the next search of the same sentence, even of a long one."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.native.library import native_library

pytestmark = pytest.mark.skipif(native_library() is None, reason="the native library is not built")


@torch.inference_mode()
def test_a_sentence_is_encoded_once_despite_a_trial_of_its_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    drafter = Translator.load(embedded_model(), "cpu", threads=1)._drafter
    base, encoded_batches = drafter.searcher, []
    encode = base.encode

    def counted(*given: Any) -> Any:
        encoded_batches.append(given)
        return encode(*given)

    monkeypatch.setattr(base, "encode", counted)
    whole = [2, *range(10, 30), 3]
    for lines in ([whole], [whole[:11], whole[11:]], [whole]):
        drafter.encode(lines)
    assert len(encoded_batches) == 2
