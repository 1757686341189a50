"""OPUS-MT folders: results equal those of transformers, and unknown settings are refused by name."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from anaphora_nmt.api import Translator
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.hugging_face import read_hugging_face_marian
from anaphora_nmt.imported.languages import Languages
from anaphora_nmt.imported.loading import Kind, find_model
from anaphora_nmt.imported.model import ModelContent, build
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.search.beam import BeamOptions, beam_search
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, UNK
from anaphora_nmt.types import SourceSegment, SourceTerm

MakeFolder = Callable[..., Path]
LIMIT = 60
SETTINGS: dict[str, dict[str, Any]] = {
    "as OPUS-MT": {},
    "gelu with tanh, not scaled": {"activation_function": "gelu_new", "scale_embedding": False},
    "relu, untied": {"activation_function": "relu", "tie_word_embeddings": False},
    "quick gelu, two vocabularies, pickled": {
        "activation_function": "quick_gelu",
        "share_encoder_decoder_embeddings": False,
        "safe": False,
    },
    "gelu, two vocabularies, untied": {
        "activation_function": "gelu",
        "share_encoder_decoder_embeddings": False,
        "tie_word_embeddings": False,
    },
}


def read(folder: Path, languages: Languages = Languages()) -> ModelContent:
    kind, files = find_model(folder)
    assert kind is Kind.HUGGING_FACE_MARIAN
    return read_hugging_face_marian(files, languages)


def rows(ids: list[tuple[int, ...]]) -> torch.Tensor:
    longest = max(map(len, ids))
    return torch.tensor([[*row, *[PAD] * (longest - len(row))] for row in ids])


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_logits_and_translations_equal_transformers(
    marian_folder: MakeFolder, texts: list[str], settings: dict[str, Any]
) -> None:
    from transformers import MarianMTModel, MarianTokenizer

    folder, texts = marian_folder(**settings), texts[:80]
    theirs, tokenizer = MarianMTModel.from_pretrained(folder).eval(), MarianTokenizer.from_pretrained(folder)
    found = read(folder)
    model = build(found.architecture, found.tensors)
    given = tokenizer(texts, return_tensors="pt", padding=True)
    own = rows([found.source.marked(found.source.encode(text)) for text in texts])
    assert own.shape == given.input_ids.shape
    searcher = MemoryAugmentedModel(model, MemoryConfig(), WordVocabulary(found.target))
    pad = theirs.config.pad_token_id
    theirs.generation_config.forced_eos_token_id = None  # at the limit, unlike our search
    with torch.inference_mode():
        encoded = model.encode(own)
        for size in (1, 5):
            # without length normalisation (α = 0), which the two programs define differently
            search = {"num_beams": size, "length_penalty": 0.0} if size > 1 else {}
            generated = theirs.generate(
                **given,
                **search,
                do_sample=False,
                early_stopping=size > 1,
                max_new_tokens=LIMIT,
                bad_words_ids=[[pad]],
            )
            best = beam_search(
                searcher, searcher.start(encoded, []), [LIMIT] * len(texts), BeamOptions(size, 0.0)
            )
            drafts = [found.target.decode(each[0].pieces) for each in best]
            assert drafts == tokenizer.batch_decode(generated, skip_special_tokens=True)
            assert len(set(drafts)) > 10
        target = rows([each[0].pieces for each in best])
        logits = theirs(**given, decoder_input_ids=generated[:, :-1]).logits
        ours = model.decoder.logits(model.force_decode(encoded, target))
    # transformers' pieces in our order, which follows from the texts of the pieces
    order = torch.tensor([number for number in their_order(found, tokenizer)])
    kept = (target != PAD)[..., None]
    torch.testing.assert_close(
        ours[..., EOS:] * kept, logits[:, : target.shape[1], order[EOS:]] * kept, rtol=0, atol=1e-4
    )


def their_order(found: ModelContent, tokenizer: Any) -> list[int]:
    """transformers' numbers of our target pieces."""
    table = tokenizer.target_encoder if tokenizer.separate_vocabs else tokenizer.encoder
    special = {PAD: "<pad>", BOS: "<pad>", EOS: "</s>", UNK: "<unk>"}
    return [table[special.get(number, found.target.piece(number))] for number in range(len(found.target))]


@pytest.mark.slow
def test_text_is_tokenised_like_transformers(opus: Path, texts: list[str]) -> None:
    from transformers import MarianTokenizer

    tokenizer, found = MarianTokenizer.from_pretrained(opus), read(opus)
    for text in [*texts[:50], "Ｆｕｌｌ ｗｉｄｔｈ 未知字", "  two  spaces ", "", "🙂 ok"]:
        ids = found.source.encode(text)
        theirs = tokenizer(text).input_ids[:-1]
        assert [
            tokenizer.encoder["<unk>"] if one == UNK else tokenizer.encoder[found.source.piece(one)]
            for one in ids
        ] == theirs
        spanned, spans = found.source.encode_with_spans(text)
        assert spanned == ids and all(0 <= start <= end <= len(text) for start, end in spans)
        written = [*found.target.encode(text), EOS]
        with_target = tokenizer(text_target=text).input_ids
        assert found.target.decode(written) == tokenizer.decode(with_target, skip_special_tokens=True)


@pytest.mark.slow
def test_target_language_mark_precedes_source(marian_folder: MakeFolder) -> None:
    from transformers import MarianTokenizer

    folder = marian_folder(marks=(">>fra<<", ">>deu<<"), taught=False)
    with pytest.raises(ModelFileError, match="several languages; choose one: deu, fra"):
        read(folder)
    with pytest.raises(ModelFileError, match=r"does not support the language eng\. It supports: deu, fra"):
        read(folder, Languages(target="eng"))
    found = read(folder, Languages(target="deu"))
    assert found.languages == Languages("xx", "deu")
    tokenizer = MarianTokenizer.from_pretrained(folder)
    marked = found.source.marked(found.source.encode("ka lo"))
    assert found.source.piece(marked[0]) == ">>deu<<" and marked[-1] == EOS
    assert len(marked) == len(tokenizer(">>deu<< ka lo").input_ids)
    assert found.target.decode([marked[0], *found.target.encode("ka lo")]) == "ka lo"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"activation_function": "mish"}, "activation_function to mish"),
        ({"normalize_before": True}, "normalize_before to True"),
        ({"static_position_embeddings": False}, "static_position_embeddings to False"),
        ({"rotary": {"theta": 10000}}, "rotary to"),
        ({"d_model": 33}, "encoder_attention_heads to 4"),
        ({"d_model": 64}, r"32.*64"),
        ({"d_model": 10**9}, "d_model to 1000000000"),
        ({"encoder_layers": 3}, "lacks the weights model.encoder.layers.2."),
        ({"encoder_layers": 1}, "do not match its settings: model.encoder.layers.1"),
        ({"encoder_layers": "2"}, "encoder_layers to 2"),
        ({"vocab_size": -1}, "vocab_size to -1"),
        ({"eos_token_id": 10**7}, "eos_token_id to 10000000"),
        ({"pad_token_id": [1]}, r"pad_token_id to \[1\]"),
        ({"bad_words_ids": [[5, 6]]}, "bad_words_ids to"),
        ({"forced_bos_token_id": 3}, "forced_bos_token_id to 3"),
        ({"model_type": "t5"}, "model_type to t5"),
        ({"model_type": ["marian"]}, "model_type to"),
    ],
)
@pytest.mark.slow
def test_unknown_settings_are_refused_by_name(
    opus: Path, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    folder = shutil.copytree(opus, tmp_path / "model")
    settings = json.loads((folder / "config.json").read_text()) | changes
    (folder / "config.json").write_text(json.dumps(settings))
    with pytest.raises(ModelFileError, match=message):
        read(folder)


@pytest.mark.parametrize(
    "name", ["source.spm", "target.spm", "vocab.json", "config.json", "model.safetensors"]
)
def test_missing_or_truncated_files_are_reported(opus: Path, tmp_path: Path, name: str) -> None:
    folder = shutil.copytree(opus, tmp_path / "model")
    content = (folder / name).read_bytes()
    for part in (content[: len(content) // 2], b"", None):
        (folder / name).unlink() if part is None else (folder / name).write_bytes(part)
        with pytest.raises(ModelFileError):
            read(folder)


def test_single_model_is_found_in_inner_folder(opus: Path, tmp_path: Path) -> None:
    shutil.copytree(opus, tmp_path / "snapshots" / "abc")
    assert find_model(tmp_path)[1].folder == tmp_path / "snapshots" / "abc"
    shutil.copytree(opus, tmp_path / "snapshots" / "def")
    with pytest.raises(ModelFileError, match=r"several models\. Choose one of its folders: abc, def"):
        find_model(tmp_path)
    for folder in (tmp_path / "nowhere", tmp_path / "snapshots" / "abc" / "vocab.json"):
        with pytest.raises(ModelFileError, match="contains no supported model"):
            find_model(folder)


@pytest.mark.slow
def test_term_without_pieces_does_not_change_drafts(opus: Path, texts: list[str]) -> None:
    """With such a term, a constrained search repeated the available letters endlessly."""
    translator = Translator.load(opus, "cpu", 1)
    for number, text in enumerate(texts[:20]):
        translator.open_document("d", [SourceSegment("1", text)])
        plain = translator.translate("d", "1").text
        term = SourceTerm(0, len(text.split()[0].rstrip(".?!")), ("字壶", "kettle©"))
        assert translator.translate("d", "1", terms=[term]).text == plain, number


@pytest.mark.parametrize("shared", [True, False])
def test_separate_embeddings_and_output_layer(opus: Path, tmp_path: Path, shared: bool) -> None:
    folder = shutil.copytree(opus, tmp_path / "model")
    settings = json.loads((folder / "config.json").read_text())
    settings |= {"tie_word_embeddings": False, "share_encoder_decoder_embeddings": shared}
    (folder / "config.json").write_text(json.dumps(settings))
    weights = load_file(folder / "model.safetensors")
    table = weights["model.shared.weight"]
    weights["lm_head.weight"] = table + 3
    if not shared:
        weights["model.encoder.embed_tokens.weight"] = table + 1
        weights["model.decoder.embed_tokens.weight"] = table + 2
    save_file(weights, folder / "model.safetensors")
    found, whole = read(folder).tensors, read(opus).tensors
    kept = slice(EOS, None)
    for name, more in (("encoder.words", 1), ("decoder.words", 2), ("decoder.output", 3)):
        added = 0 if shared and "words" in name else more
        torch.testing.assert_close(
            found[f"{name}.weight"][kept], whole[f"{name}.weight"][kept] + added, rtol=0, atol=1e-6
        )
