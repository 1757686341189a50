"""The memory of an imported model is fitted on a translation memory, and follows a correction."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.cli import main
from anaphora_nmt.imported.loading import import_model, load_imported
from anaphora_nmt.types import SourceSegment


@pytest.mark.slow
def test_an_imported_model_is_fitted_and_follows(
    opus: Path, tmp_path: Path, texts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    import_model(opus, tmp_path / "model", "small")
    pairs = [(texts[number % 4], texts[number % 4 + 4]) for number in range(200)]
    units = "".join(
        f'<tu><tuv xml:lang="xx"><seg>{source}</seg></tuv><tuv xml:lang="yy"><seg>{target}</seg></tuv></tu>'
        for source, target in pairs
    )
    path = tmp_path / "memory.tmx"
    path.write_text(f'<tmx version="1.4"><header/><body>{units}</body></tmx>', "utf-8")
    assert main(["fit-memory", "--model", str(tmp_path / "model"), "--train", str(path)]) == 0
    printed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("dev")]
    before, after = ([float(word) for word in line.split() if word[0].isdigit()] for line in printed)
    assert before[0] == after[0] and after[1] < after[0] - 0.5 and after[1] <= before[1] + 1e-3
    model = load_imported(tmp_path / "model")
    assert model.memory != load_imported(opus).memory
    assert (model.name, model.languages) == ("small", ("xx", "yy"))
    translator = Translator.load(tmp_path / "model", "cpu", 1)
    sources = texts[0], texts[0] + " "  # not the same, or the draft would be what was confirmed
    translator.open_document("d", [SourceSegment(str(number), text) for number, text in enumerate(sources)])
    correction = "nesha talo zumi kavo ruvo mine"
    assert correction not in translator.translate("d", "1").text
    translator.remember("d", "0", correction + ".")
    followed = translator.translate("d", "1").text
    assert correction in followed
    told = translator.explain("d", "1", followed)
    assert any(use.confirmed and use.segment == "0" for token in told.tokens for use in token.uses)
