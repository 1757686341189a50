"""The quality of drafts, with the included model."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.evaluate import memories_in_use
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.quality.estimator import QUALITY_FILE
from anaphora_nmt.types import MemoryPack, SearchOptions, SourceSegment, SourceTerm, Suggestion

MANUAL = "单击“确定”以保存更改。"
POEM = "锦瑟无端五十弦，一弦一柱思华年。"
TAGGED = "请参阅{1}张量指南{/1}。"
GREEDY = SearchOptions(beam_size=1)


def drafted(translator: Translator, text: str, options: SearchOptions = SearchOptions()) -> Suggestion:
    translator.open_document("q", [SourceSegment("0", text)])
    try:
        return translator.translate("q", "0", options)
    finally:
        translator.close_document("q")


def test_a_manual_is_expected_to_be_better_than_a_poem(translator: Translator) -> None:
    manual, poem = drafted(translator, MANUAL).quality, drafted(translator, POEM).quality
    assert manual is not None and poem is not None
    assert not manual.doubtful and poem.doubtful
    assert not manual.unusable and poem.unusable
    assert manual.expected > poem.expected + 0.2
    assert translator.info.unlike_below is not None
    assert poem.expected < translator.info.unlike_below < manual.expected


@pytest.mark.parametrize("options", [GREEDY, SearchOptions()])
def test_the_quality_has_the_positions_of_words(translator: Translator, options: SearchOptions) -> None:
    draft = drafted(translator, TAGGED, options)
    assert draft.quality is not None and draft.quality.words
    assert [draft.text[word.start : word.end] for word in draft.quality.words] == [
        word.word for word in draft.quality.words
    ]
    assert all(0.0 <= word.right <= 1.0 for word in draft.quality.words)
    assert all(word.doubtful for word in draft.quality.words if word.invented)


def test_a_segment_without_text_has_no_quality(translator: Translator) -> None:
    assert drafted(translator, "  ").quality is None


def test_without_an_estimator_the_quality_is_the_probability(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(embedded_model(), folder)
    (folder / QUALITY_FILE).unlink()
    plain = Translator.load(folder, device="cpu", threads=1)
    assert plain.info.unlike_below is None
    manual, poem = drafted(plain, MANUAL).quality, drafted(plain, POEM).quality
    assert manual is not None and poem is not None
    assert 0.0 < poem.expected < manual.expected <= 1.0 and poem.doubtful and not manual.words
    assert not poem.unusable, "there is no limit for usable probabilities"
    (folder / QUALITY_FILE).write_bytes(b"no archive")
    with pytest.raises(ModelFileError, match=r"quality\.npz"):
        Translator.load(folder, device="cpu", threads=1)


def test_confirmed_text_is_usable_even_with_a_low_estimate(translator: Translator) -> None:
    own = "Xq zzrf, jjk brrt."
    translator.open_document("r", [SourceSegment("0", POEM), SourceSegment("1", POEM)])
    try:
        first = translator.translate("r", "0")
        translator.remember("r", "0", own)
        again = translator.translate("r", "1")
        translator.forget("r", "0")
        translator.bring_in("r", [MemoryPack("other", ((POEM, first.text),))])
        brought = translator.translate("r", "0", SearchOptions(memories=memories_in_use("none")))
    finally:
        translator.close_document("r")
    assert first.quality is not None and first.quality.unusable
    assert again.text == own and again.quality is not None and not again.quality.unusable
    assert brought.text == first.text and brought.quality is not None and not brought.quality.unusable


def test_terms_make_no_draft_unusable_but_guesses_may(
    translator: Translator,
) -> None:
    """The model finds "tally" improbable for any source."""
    translator.open_document("t", [SourceSegment("0", "我们更新账本。"), SourceSegment("1", POEM)])
    try:
        chosen = translator.translate("t", "0", terms=(SourceTerm(4, 6, ("tally",)),))
        guessed = translator.translate("t", "0", terms=(SourceTerm(4, 6, ("tally",), guessed=True),))
        poor = translator.translate("t", "1", terms=(SourceTerm(0, 2, ("zither",)),))
    finally:
        translator.close_document("t")
    assert chosen.text == guessed.text and "tally" in chosen.text and "zither" in poor.text
    assert chosen.quality is not None and guessed.quality is not None and poor.quality is not None
    assert not chosen.quality.unusable and guessed.quality.unusable
    assert poor.quality.unusable, "the text around the term is still poor"
