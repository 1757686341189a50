"""M2M100 folders: results equal those of transformers; marks choose the languages."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.hugging_face import read_m2m100
from anaphora_nmt.imported.languages import Languages
from anaphora_nmt.imported.loading import Kind, find_model
from anaphora_nmt.imported.model import ModelContent, build
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.search.beam import BeamOptions, beam_search
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, UNK

LIMIT = 30
SPECIAL = {PAD: 1, BOS: 1, EOS: 2, UNK: 3}
PAIR = Languages("zh", "en")


def rows(ids: list[tuple[int, ...]]) -> torch.Tensor:
    longest = max(map(len, ids))
    return torch.tensor([[*row, *[PAD] * (longest - len(row))] for row in ids])


@pytest.mark.slow
def test_logits_and_translations_equal_transformers(m2m100: Path, texts: list[str]) -> None:
    from transformers import M2M100Tokenizer

    tokenizer = M2M100Tokenizer.from_pretrained(m2m100, src_lang="zh", tgt_lang="en")
    table = {**tokenizer.encoder, **tokenizer.lang_token_to_id}
    compare(m2m100, PAIR, tokenizer, table, tokenizer.get_lang_id("en"), texts)


@pytest.mark.slow
def test_nllb_equals_transformers(nllb: Path, texts: list[str]) -> None:
    from transformers import NllbTokenizer

    tokenizer = NllbTokenizer.from_pretrained(nllb, src_lang="zho_Hans", tgt_lang="eng_Latn")
    table = tokenizer.get_vocab()
    compare(nllb, Languages("zho_Hans", "eng_Latn"), tokenizer, table, table["eng_Latn"], texts)


def compare(
    folder: Path, pair: Languages, tokenizer: Any, table: dict[str, int], begin: int, texts: list[str]
) -> None:
    """Check that pieces, greedy and beam-5 drafts and logits equal those of transformers."""
    from transformers import M2M100ForConditionalGeneration

    theirs = M2M100ForConditionalGeneration.from_pretrained(folder).eval()
    kind, files = find_model(folder)
    assert kind is Kind.M2M100
    found = read_m2m100(files, pair)
    model = build(found.architecture, found.tensors)
    given = tokenizer(texts, return_tensors="pt", padding=True)
    own = rows([found.source.marked(found.source.encode(text)) for text in texts])
    assert own.shape == given.input_ids.shape
    numbers = torch.tensor([number(found, table, one) for one in range(len(found.source))])
    assert torch.equal(numbers[own], given.input_ids)
    searcher = MemoryAugmentedModel(model, MemoryConfig(), WordVocabulary(found.target))
    with torch.inference_mode():
        encoded = model.encode(own)
        for size in (1, 5):
            # without length normalisation (α = 0), which the two programs define differently
            search = {"num_beams": size, "length_penalty": 0.0, "early_stopping": True} if size > 1 else {}
            generated = theirs.generate(
                **given, **search, do_sample=False, max_new_tokens=LIMIT, forced_bos_token_id=begin,
                bad_words_ids=[[1]],
            )  # fmt: skip
            best = beam_search(
                searcher, searcher.start(encoded, []), [LIMIT - 1] * len(texts), BeamOptions(size, 0.0)
            )
            # transformers' output begins with </s> and the language, and is padded
            target = [[number(found, table, one) for one in each[0].pieces] for each in best]
            assert target == [[one for one in row[2:].tolist() if one != 1] for row in generated]
            assert len(set(map(tuple, target))) > 10
        forced = rows([each[0].pieces for each in best])
        logits = theirs(**given, decoder_input_ids=generated[:, :-1]).logits[:, 1:]
        ours = model.decoder.logits(model.force_decode(encoded, forced))
    kept, steps = (forced != PAD)[..., None], forced.shape[1]
    torch.testing.assert_close(
        ours[..., EOS:] * kept, logits[:, :steps, numbers[EOS:]] * kept, rtol=0, atol=1e-4
    )


def number(found: ModelContent, table: dict[str, int], one: int) -> int:
    """transformers' number of a piece; the names of pieces that fill up its table contain it."""
    if one in SPECIAL:
        return SPECIAL[one]
    piece = found.target.piece(one)
    return table[piece] if piece in table else int(piece.strip("<>").split()[1])


def test_both_languages_are_chosen(m2m100: Path) -> None:
    files = find_model(m2m100)[1]
    for pair, message in (
        (Languages("zh"), "choose one"),
        (Languages("zh", "xx"), "does not support the language xx"),
    ):
        with pytest.raises(ModelFileError, match=message):
            read_m2m100(files, pair)
    found = read_m2m100(files, PAIR)
    marked = found.source.marked(found.source.encode("ka lo"))
    assert found.source.piece(marked[0]) == "__zh__" and found.languages == PAIR
    assert found.target.decode([marked[0], *found.target.encode("ka lo")]) == "ka lo"


def test_nllb_without_its_languages_is_damaged(nllb: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(nllb, tmp_path / "model")
    whole = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    for added in (None, [], [{"content": "eng_Latn", "id": 5}], [{"content": "eng_Latn", "id": 10**6}]):
        (folder / "tokenizer.json").write_text(json.dumps(whole | {"added_tokens": added}), "utf-8")
        with pytest.raises(ModelFileError, match="no language marks"):
            read_m2m100(find_model(folder)[1], PAIR)
    shutil.copy(nllb / "tokenizer.json", folder)
    settings = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))
    (folder / "tokenizer_config.json").write_text(json.dumps(settings | {"legacy_behaviour": True}))
    with pytest.raises(ModelFileError, match="legacy_behaviour to True"):
        read_m2m100(find_model(folder)[1], PAIR)
