"""Weights that the native library has too lie in their file until they are wanted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.native.library import native_library
from anaphora_nmt.types import SourceSegment

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(native_library() is None, reason="the native library is not built"),
]


def sizes(module: torch.nn.Module) -> set[bool]:
    """Whether parameters have any numbers."""
    return {parameter.numel() > 0 for parameter in module.parameters()}


def test_they_are_woken_as_they_are_in_the_file_and_drafts_need_none() -> None:
    exact = load_bundle(embedded_model()).model
    translator = Translator.load(embedded_model(), "cpu", threads=1)
    model = translator._bundle.model
    layers = model.encoder.layers, model.decoder.layers
    assert all(sizes(each) == {False} for each in layers)  # type: ignore[arg-type]
    ids = torch.randint(0, 30_000, (3, 40))
    with torch.no_grad():
        assert torch.equal(model.encoder.embedding(ids), exact.encoder.embedding(ids))  # type: ignore[operator]
    translator.open_document("d", [SourceSegment("0", "张量是多维数组。")])
    draft = translator.translate("d", "0").text
    translator.remember("d", "0", draft)
    assert all(sizes(each) == {False} for each in layers)  # type: ignore[arg-type]
    explained = translator.explain("d", "0", draft)
    assert [sizes(each) for each in layers] == [{False}, {True}]  # type: ignore[arg-type]
    translator.close_document("d")
    assert all(sizes(each) == {False} for each in layers)  # type: ignore[arg-type]
    translator.open_document("d", [SourceSegment("0", "张量是多维数组。")])
    assert translator.translate("d", "0").text == draft
    translator.remember("d", "0", draft)
    assert translator.explain("d", "0", draft) == explained
    with torch.no_grad():
        mask = torch.ones(3, 40, dtype=torch.bool)
        assert torch.equal(model.encoder(ids, mask), exact.encoder(ids, mask))
    ours, theirs = (dict(each.named_parameters()) for each in (model, exact))
    assert set(theirs) - set(ours) == {"encoder.embedding.words.weight"}
    assert all(torch.equal(parameter, theirs[name]) for name, parameter in ours.items())


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    folder = shutil.copytree(embedded_model(), tmp_path / "model")
    translator = Translator.load(folder, "cpu", threads=1)
    translator.open_document("d", [SourceSegment("0", "张量是多维数组。")])
    shutil.rmtree(folder)
    assert translator.translate("d", "0").text
    with pytest.raises(ModelFileError, match="Install it again"):
        translator.explain("d", "0", "A tensor is an array.")
