"""Common properties of models of every kind: memory, pieces, incomplete and invalid files."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.languages import Languages
from anaphora_nmt.imported.loading import import_model, load_imported
from anaphora_nmt.types import SourceSegment

sys.path.insert(0, str(Path(__file__).parents[2] / "app" / "support"))
from ctranslate2_files import argos, convert
from marian_files import save_firefox_model, save_npz_model

LANGUAGES = {"M2M100": Languages("zh", "en"), "NLLB-200": Languages("zho_Hans", "eng_Latn")}
WEIGHTS = {
    "OPUS-MT": "model.safetensors",
    "Marian": "model.npz",
    "Firefox": "model.enzh.intgemm.alphas.bin",
    "M2M100": "model.safetensors",
    "NLLB-200": "model.safetensors",
    "CTranslate2": "model.bin",
    "Argos": "model/model.bin",
}
"""The file of weights, by kind."""
SETTINGS = {
    "OPUS-MT": ("config.json", {"activation_function": "mish"}, "activation_function to mish"),
    "Marian": ("decoder.yml", {"models": ["a.npz", "b.npz"]}, "models"),
    "M2M100": ("config.json", {"activation_function": "mish"}, "activation_function to mish"),
    "NLLB-200": ("config.json", {"activation_function": "mish"}, "activation_function to mish"),
    "CTranslate2": ("config.json", {"new_invention": 1}, "new_invention to 1"),
    "Argos": ("model/config.json", {"new_invention": 1}, "new_invention to 1"),
}
"""A file of settings, an unknown setting in it, and the message about it, by kind."""


@pytest.fixture(scope="module")
def given(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, source_pieces: bytes
) -> dict[str, Path]:
    """A model of each kind, made by its toolkit or in its format. Tests must not change it."""
    folder = tmp_path_factory.mktemp("kinds")
    marian_folder = request.getfixturevalue("marian_folder")
    opus = marian_folder(seed=2, decoder_attention_heads=4, decoder_ffn_dim=48)
    return {
        "OPUS-MT": opus,
        "Marian": save_npz_model(folder / "npz", opus),
        "Firefox": save_firefox_model(folder / "firefox", opus),
        "M2M100": request.getfixturevalue("m2m100"),
        "NLLB-200": request.getfixturevalue("nllb"),
        "CTranslate2": convert(opus, folder / "ctranslate2", "int8", "source.spm", "target.spm"),
        "Argos": argos(folder / "argos", source_pieces),
    }


def load(kind: str, given: Path, folder: Path, device: str = "cpu") -> Translator:
    bundle = import_model(given, folder, kind, LANGUAGES.get(kind, Languages()))
    return Translator.load(bundle.folder, device, 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*WEIGHTS])
def test_memory_follows_and_shows_confirmed_text(
    kind: str, given: dict[str, Path], tmp_path: Path, texts: list[str], device: str
) -> None:
    translator = load(kind, given[kind], tmp_path / "model", device)
    translator.open_document("d", [SourceSegment(str(number), texts[0]) for number in range(2)])
    plain = translator.translate("d", "1").text
    translator.remember("d", "0", "nesha talo zumi kavo ruvo mine.")
    assert translator.translate("d", "1").text != plain
    explanation = translator.explain("d", "1", "nesha talo zumi.")
    assert any(use.confirmed for token in explanation.tokens for use in token.uses)
    translator.forget("d", "0")
    assert translator.translate("d", "1").text == plain


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*WEIGHTS])
def test_pieces_restore_text_and_languages_are_kept(
    kind: str, given: dict[str, Path], tmp_path: Path, texts: list[str]
) -> None:
    chosen = LANGUAGES.get(kind, Languages())
    bundle = import_model(given[kind], tmp_path / "model", kind, chosen)
    again = load_imported(bundle.folder)
    assert again.languages == bundle.languages
    if chosen.source:
        assert again.languages == (chosen.source, chosen.target)
    for text in texts[:50]:
        pieces = again.target.encode(text)
        assert pieces == bundle.target.encode(text) and again.target.decode(pieces) == text


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*WEIGHTS])
@pytest.mark.parametrize("kept", [0.05, 0.5, 0.97])
def test_truncated_weights_are_refused_and_leave_no_folder(
    kind: str, kept: float, given: dict[str, Path], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(given[kind], tmp_path / "given"))
    weights = folder / WEIGHTS[kind]
    content = weights.read_bytes()
    weights.write_bytes(content[: int(kept * len(content))])
    with pytest.raises(ModelFileError) as problem:
        import_model(folder, tmp_path / "models" / "m", kind, LANGUAGES.get(kind, Languages()))
    assert weights.name in str(problem.value)
    assert not [*(tmp_path / "models").glob("*")]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*SETTINGS])
def test_unknown_settings_are_refused_by_name(kind: str, given: dict[str, Path], tmp_path: Path) -> None:
    name, changes, message = SETTINGS[kind]
    folder = Path(shutil.copytree(given[kind], tmp_path / "given"))
    if name.endswith(".json"):
        settings = json.loads((folder / name).read_text("utf-8")) | changes
        (folder / name).write_text(json.dumps(settings), "utf-8")
    else:
        text = (folder / name).read_text("utf-8").replace("- model.npz", "- a.npz\n- b.npz")
        (folder / name).write_text(text, "utf-8")
    with pytest.raises(ModelFileError, match=message):
        import_model(folder, tmp_path / "models" / "m", kind, LANGUAGES.get(kind, Languages()))
