"""The memory of an imported model is fitted on a corpus or on confirmed pairs, and follows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anaphora_nmt.api import Translator, fit_memory
from anaphora_nmt.cli import main
from anaphora_nmt.errors import Cancelled, TooLittleTextError
from anaphora_nmt.imported.loading import import_model, load_imported
from anaphora_nmt.steering import MemoryPack
from anaphora_nmt.types import SourceSegment


@pytest.fixture
def corpus(tmp_path: Path, texts: list[str]) -> Path:
    """Documents that repeat sentences."""
    pairs = [(texts[number % 4], texts[number % 4 + 4]) for number in range(50)]
    path = tmp_path / "corpus.jsonl"
    lines = (json.dumps({"doc": str(number), "segments": pairs}) for number in range(4))
    path.write_text("\n".join(lines), "utf-8")
    return path


@pytest.mark.slow
def test_an_imported_model_is_fitted_and_follows(
    opus: Path,
    tmp_path: Path,
    texts: list[str],
    corpus: Path,
    device: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    import_model(opus, tmp_path / "model", "small")
    assert main(["fit-memory", "--model", str(tmp_path / "model"), "--train", str(corpus)]) == 0
    printed = capsys.readouterr().out
    before, after, without = (float(word) for word in printed.split() if word[0].isdigit())
    assert after < without - 0.5 and after <= before + 1e-3
    model = load_imported(tmp_path / "model")
    assert model.memory != load_imported(opus).memory
    assert (model.name, model.languages) == ("small", ("xx", "yy"))
    translator = Translator.load(tmp_path / "model", device, 1)
    translator.open_document("d", [SourceSegment(str(number), texts[0]) for number in range(2)])
    correction = "nesha talo zumi kavo ruvo mine"
    assert correction not in translator.translate("d", "1").text
    translator.remember("d", "0", correction + ".")
    followed = translator.translate("d", "1").text
    assert correction in followed
    explanation = translator.explain("d", "1", followed)
    assert any(use.confirmed and use.segment == "0" for token in explanation.tokens for use in token.uses)


@pytest.mark.slow
def test_fitting_uses_confirmed_pairs_and_can_be_cancelled(
    opus: Path, tmp_path: Path, texts: list[str]
) -> None:
    import_model(opus, tmp_path / "model", "small")
    before = load_imported(tmp_path / "model").memory
    pairs = [(texts[number % 4], texts[number % 4 + 4]) for number in range(110)]
    pack = MemoryPack("done", tuple(pairs))

    def give_up() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        fit_memory(tmp_path / "model", pack, step=give_up)
    assert load_imported(tmp_path / "model").memory == before
    found = fit_memory(tmp_path / "model", pack)
    assert found.pairs == 75 + 10 and found.is_better and found.after < found.without - 0.5
    assert load_imported(tmp_path / "model").memory != before


def test_too_little_confirmed_text_is_reported(opus: Path, texts: list[str]) -> None:
    few = MemoryPack("few.anaphora", ((texts[0], texts[1]),) * 80)
    with pytest.raises(TooLittleTextError, match=r"few\.anaphora to tune the document memory: 85 segments"):
        fit_memory(opus, few)
