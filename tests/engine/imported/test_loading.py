"""An imported model in use: it translates, remembers and explains, also on the command line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from anaphora_nmt.api import Translator, install_model
from anaphora_nmt.cli import main
from anaphora_nmt.errors import Cancelled, LanguageNeededError, ModelFileError
from anaphora_nmt.imported.languages import Languages
from anaphora_nmt.imported.loading import (
    Kind,
    import_model,
    load_imported,
    unfitted_memory,
    write_card,
)
from anaphora_nmt.native.library import native_library
from anaphora_nmt.pipeline.preparing.lines import prepare_source
from anaphora_nmt.pipeline.preparing.terms import place_terms
from anaphora_nmt.types import ModelToInstall, SearchOptions, SourceSegment, SourceTerm

MakeFolder = Callable[..., Path]


@pytest.fixture(scope="module")
def translator(opus: Path, device: str) -> Translator:
    return Translator.load(opus, device=device, threads=1)


def test_model_describes_itself(translator: Translator, opus: Path) -> None:
    info = translator.info
    assert (info.model, info.source_language, info.target_language) == (opus.name, "xx", "yy")
    assert info.memories == ("Confirmed text",)
    if info.device == "cpu":
        assert info.precision == ("int8" if native_library() is not None else "float32")


def test_single_source_word_is_left_out(translator: Translator) -> None:
    source, target = "ka lo mi ne", "ta vo"
    translator.open_document("left out", [SourceSegment("1", source)])
    words = translator.explain("left out", "1", target, influence=False).source_words
    stretches = [(word.start, word.end) for word in words]
    found = [each.words[0] for each in translator.stretch_influences("left out", "1", target, stretches)]
    drafter = translator.corpus().drafter
    assert drafter.source.before == ()  # other models have a leading mark, which shifts all pieces
    ids, spans = drafter.source.encode_with_spans(source)
    pieces = drafter.target.encode(target)
    first = next(n for n in range(1, len(pieces) + 1) if drafter.target.decode(pieces[:n]).strip() == "ta")
    base = drafter.model.base

    def likelihood(start: int, end: int) -> float:
        encoded = base.encode(torch.tensor([drafter.source.marked(ids)], device=drafter.model.device))
        for place, (begin, behind) in enumerate(spans):
            if begin < end and start < behind:
                encoded.mask[0, place] = False
        written = torch.tensor([pieces], device=drafter.model.device)
        logits = base.decoder.logits(base.force_decode(encoded, written))[0].log_softmax(-1)
        return float(logits.gather(1, written[0, :, None])[:first].sum())

    whole = likelihood(0, 0)
    expected = [whole - likelihood(word.start, word.end) for word in words]
    assert len(words) == 4 and found == pytest.approx(expected, abs=1e-4) and max(map(abs, found)) > 1e-3


def test_numbers_and_tags_survive_without_placeholders(translator: Translator) -> None:
    text = "ka {1}lo mi{/1} 2024 ne {2/} {2/} ru."
    translator.open_document("t", [SourceSegment("0", text)])
    found = translator.translate("t", "0", SearchOptions(beam_size=1))
    for tag in ("{1}", "{/1}"):
        assert found.text.count(tag) == 1
    assert found.text.count("{2/}") == 2 and found.text.index("{1}") < found.text.index("{/1}")
    assert not any("\ue000" <= letter <= "\uf8ff" for letter in found.text)


@pytest.mark.slow
def test_terms_are_found_in_pieces_of_model(marian_folder: MakeFolder, texts: list[str]) -> None:
    bundle = load_imported(marian_folder(marks=(">>fra<<", ">>deu<<"), taught=False), Languages(target="deu"))
    source = prepare_source(texts[3], bundle.source)
    end = texts[3].index(" ")
    found = place_terms(source, [SourceTerm(0, end, forms=("zumi",))], bundle.source, bundle.target)
    marked = bundle.source.marked(source.ids)
    assert bundle.source.decode([marked[column] for column in found.places[0].columns]) == texts[3][:end]
    assert bundle.target.decode(found.forms[0][0]) == "zumi"


def test_an_archive_is_imported_and_loaded_from_its_folder(
    opus: Path, tmp_path: Path, texts: list[str]
) -> None:
    given = shutil.copytree(opus, tmp_path / "given")
    (given / "LICENSE").write_text("CC-BY 4.0")
    shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path, "given")
    bundle = import_model(tmp_path / "packed.zip", tmp_path / "models" / "opus", "OPUS of tests")
    assert bundle.name == "OPUS of tests" and bundle.folder == tmp_path / "models" / "opus"
    assert json.loads((bundle.folder / "anaphora.json").read_text())["languages"] == {
        "source": "xx",
        "target": "yy",
    }
    again, direct = load_imported(bundle.folder), load_imported(opus)
    assert again.memory == direct.memory and again.languages == ("xx", "yy")
    for one, other in zip(again.model.parameters(), direct.model.parameters(), strict=True):
        assert torch.equal(one, other)
    assert sorted(path.name for path in (tmp_path / "models").iterdir()) == ["opus"]
    with pytest.raises(ModelFileError, match="already exists"):
        import_model(opus, bundle.folder)
    from_folder = import_model(given, tmp_path / "models" / "other")
    assert (from_folder.folder / "LICENSE").read_text() == "CC-BY 4.0"


def test_a_model_is_installed_and_can_be_cancelled(opus: Path, tmp_path: Path) -> None:
    wanted = ModelToInstall(opus, tmp_path / "models" / "small", "small")
    parts: list[int] = []
    info = install_model(wanted, parts.append)
    assert (info.model, info.source_language, info.target_language) == ("small", "xx", "yy")
    assert sum(parts) == sum(path.stat().st_size for path in opus.iterdir())
    card = json.loads((wanted.folder / "anaphora.json").read_text())
    assert card["kind"] == "OPUS-MT (Hugging Face Marian)"
    assert load_imported(wanted.folder).name == "small"

    def stop(size: int) -> None:
        raise Cancelled("enough")

    with pytest.raises(Cancelled):
        install_model(ModelToInstall(opus, tmp_path / "models" / "other"), stop)
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["small"]


@pytest.mark.slow
def test_required_language_choice_is_reported(marian_folder: MakeFolder, tmp_path: Path) -> None:
    folder = marian_folder(marks=(">>fra<<", ">>deu<<"), taught=False)
    with pytest.raises(LanguageNeededError) as error:
        install_model(ModelToInstall(folder, tmp_path / "out"))
    assert (error.value.sides, error.value.known) == (("target",), ("deu", "fra"))
    assert install_model(ModelToInstall(folder, tmp_path / "out", target="fra")).target_language == "fra"


def test_failed_import_leaves_no_folder(opus: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(opus, tmp_path / "model")
    (folder / "model.safetensors").write_bytes(b"no weights")
    for path in (folder, tmp_path / "nowhere", folder / "vocab.json"):
        with pytest.raises(ModelFileError):
            import_model(path, tmp_path / "models" / "out")
    assert list((tmp_path / "models").iterdir()) == []


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ("{", "anaphora.json is damaged"),
        ('{"format": 99}', "newer version"),
        ('{"format": 1, "name": "x"}', "anaphora.json is damaged"),
        (
            '{"format": 1, "name": "x", "languages": {"source": "", "target": ""}, "memory": {"x": 1}}',
            "no memory 'x'",
        ),
    ],
)
def test_invalid_card_is_reported(opus: Path, tmp_path: Path, card: str, message: str) -> None:
    folder = shutil.copytree(opus, tmp_path / "model")
    (folder / "anaphora.json").write_text(card)
    with pytest.raises(ModelFileError, match=message):
        Translator.load(folder)


@pytest.mark.slow
def test_an_imported_model_is_evaluated(opus: Path, tmp_path: Path, texts: list[str]) -> None:
    import_model(opus, tmp_path / "model", "small")
    pairs = [[text, text] for text in texts[:4]]
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"doc": "d", "segments": pairs}))
    command = ["evaluate", "--model", str(tmp_path / "model"), "--corpus", str(tmp_path / "corpus.jsonl")]
    assert (
        main([*command, "--out", str(tmp_path / "out"), "--memories", "none,confirmed", "--confirmed"]) == 0
    )
    assert len((tmp_path / "out" / "confirmed.txt").read_text("utf-8").splitlines()) == 4


def test_an_imported_model_completes_what_is_typed(opus: Path, texts: list[str]) -> None:
    translator = Translator.load(opus, threads=1)
    translator.open_document("d", [SourceSegment("0", texts[0])])
    whole = translator.translate("d", "0", SearchOptions(beam_size=1)).text
    half = whole[: len(whole) // 2]
    found = translator.complete("d", "0", half, most=200)
    assert found.ended and half + found.text == whole


def test_a_format_of_the_next_version_is_refused(opus: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(opus, tmp_path / "model")
    write_card(folder, "m", Kind.HUGGING_FACE_MARIAN, Languages(), unfitted_memory())
    card = json.loads((folder / "anaphora.json").read_text())
    (folder / "anaphora.json").write_text(json.dumps({**card, "format": 2}))
    with pytest.raises(ModelFileError, match="newer version"):
        load_imported(folder)
