"""The native library's beam search finds the same hypotheses as Python's, bit for bit."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch.nn import functional

from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.errors import Cancelled
from anaphora_nmt.memory.confirmed import ConfirmedConfig
from anaphora_nmt.memory.confirmed_pieces import WORD_START
from anaphora_nmt.memory.confirmed_slots import ConfirmedSlots
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.models import native_decoder
from anaphora_nmt.models.memory_augmented import AugmentedState, MemoryAugmentedModel
from anaphora_nmt.models.native_decoder import NativeDecoder
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.native.library import native_library
from anaphora_nmt.nn.state import shift_right
from anaphora_nmt.search.beam import BeamOptions, Hypothesis, beam_search
from anaphora_nmt.search.constraints import Constraints, PieceTable
from anaphora_nmt.search.out_of_vocabulary import OutOfVocabularyPenalty, SpelledPieces
from anaphora_nmt.text.vocabulary import BOS, EOS
from anaphora_nmt.text.word_list import WordList

pytestmark = pytest.mark.skipif(native_library() is None, reason="the native library is not built")

SYLLABLES = [first + second for first in "bdfgkl" for second in ("a", "é", "i", "o", "u", "er")]
SPELLED = [
    "<pad>",
    "<s>",
    "</s>",
    "<unk>",
    "\ue000",
    "▁\ue000",
    "\ue001",
    ".",
    "▁,",
    "'s",
    "-",
    "-bi",
    "▁",
    "ı",
]
SPELLED += [space + syllable for syllable in SYLLABLES for space in ("", "▁")]
PIECES = len(SPELLED)
KNOWN = WordList.of(["ba", "bade", "badé", "kéla", "bi-la-kulabi", "doger", "léba", "fi", "gu", "lo"])
TABLE = PieceTable.of([[4, 5], [6]], [text.startswith("▁") and text[1:].isalpha() for text in SPELLED])


class Spells:
    """A vocabulary whose pieces behind the marks spell words."""

    spells = (torch.arange(PIECES) > 13).float()


@pytest.fixture(scope="module")
def model() -> MemoryAugmentedModel:
    """Random weights, sharp enough to repeat themselves, with a memory of confirmed text."""
    torch.manual_seed(3)
    encoder = EncoderConfig("transformer", width=32, layers=1, heads=2, feed_forward=64, embedding=32)
    decoder = DecoderConfig("transformer", width=32, layers=2, heads=2, feed_forward=64, embedding=32)
    base = TranslationModel(ModelConfig(40, PIECES, encoder, decoder))
    base.decoder.norm.weight.data.fill_(2.0)  # type: ignore[union-attr,operator]
    base.decoder.output_bias.data[EOS] = 1.0  # type: ignore[index,union-attr]
    config = ConfirmedConfig(
        threshold=0.1,
        context_share=0.0,
        gate_bias=-1.0,
        gate_state=3.0,
        deep_strength=1.0,
        deep_threshold=0.3,
    )
    memory = MemoryConfig({"confirmed": config}, read=("confirmed",))
    return MemoryAugmentedModel(base, memory, Spells()).eval().native()  # type: ignore[arg-type]


def start(model: MemoryAugmentedModel, sources: torch.Tensor, remembers: bool) -> AugmentedState:
    """The start state of three sentences, with slots similar to steps of their random targets."""
    encoded = model.encode(sources)
    state = model.start(encoded, [MemorySnapshot()] * len(sources))
    if not remembers:
        return state
    targets = torch.randint(14, PIECES, (len(sources), 37))
    features = model.base.force_decode(encoded, targets)
    parts = [functional.normalize(part, dim=-1) for part in (features.context, features.state)]
    before = torch.where(torch.rand(targets.shape) < 0.7, WORD_START, shift_right(targets, BOS))
    slots = ConfirmedSlots(torch.cat(parts, -1).half(), targets, before, values=parts[1].half())
    held = model.memories["confirmed"].ready(slots, model.source())
    return replace(state, gathered=(held,))


def found(
    monkeypatch: pytest.MonkeyPatch,
    native: bool,
    model: MemoryAugmentedModel,
    remembers: bool,
    options: BeamOptions,
    held: bool,
) -> list[list[Hypothesis]]:
    """Search for three sentences of different lengths, which end at different steps."""
    made = []
    original = NativeDecoder.search

    def watched(*given: object) -> object:
        made.append(original(*given) if native else None)  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr(NativeDecoder, "search", watched)
    torch.manual_seed(5)
    sources = torch.randint(4, 40, (3, 13))
    sources[1, 9:], sources[2, 5:] = 0, 0
    state = start(model, sources, remembers)
    limits, required = [25, 60, 12], [(1, 2), (), (0, 1)]
    if not held:
        result = beam_search(model, state, limits, options)
    else:
        lists = [[KNOWN, WordList.of(["kulabi", f"ga{number}"])] for number in range(3)]
        penalty = OutOfVocabularyPenalty(SpelledPieces.of(SPELLED), lists, 1.0)
        rules = Constraints(TABLE, required, 3.0, 0.5)
        result = beam_search(model, state, limits, options, [rules, penalty])
    monkeypatch.undo()
    assert (made[0] is not None) == native
    return result


@pytest.mark.parametrize("held", [False, True], ids=["free", "held"])
@pytest.mark.parametrize("remembers", [False, True], ids=["plain", "memory"])
@pytest.mark.parametrize("size", [1, 2, 5, 9])
@torch.inference_mode()
def test_native_search_equals_python(
    monkeypatch: pytest.MonkeyPatch, model: MemoryAugmentedModel, size: int, remembers: bool, held: bool
) -> None:
    options = BeamOptions(size, 0.7, min(size, 3), with_attention=size > 2)
    wanted, made = (found(monkeypatch, native, model, remembers, options, held) for native in (False, True))
    assert sum(map(len, made)) >= 3
    for one, other in zip(wanted, made, strict=True):
        for python, native in zip(one, other, strict=True):
            assert python.pieces == native.pieces
            assert python.score == pytest.approx(native.score, abs=1e-6)
            assert (python.seen is None) == (native.seen is None)
            if python.seen is not None and native.seen is not None:
                assert torch.equal(python.seen, native.seen)
    if remembers:
        without = found(monkeypatch, True, model, False, options, held)
        assert without != made, "the memory is read"


@pytest.mark.parametrize("remembers", [False, True], ids=["plain", "memory"])
@torch.inference_mode()
def test_native_search_with_allowed_pieces_equals_python(
    monkeypatch: pytest.MonkeyPatch, model: MemoryAugmentedModel, remembers: bool
) -> None:
    """Sums over the pieces have another order, so scores are compared approximately."""
    torch.manual_seed(6)
    sources = torch.randint(4, 40, (1, 13))
    state = start(model, sources, remembers)
    some = torch.tensor([EOS, *range(5, PIECES, 3)])
    offered = [] if state.gathered[0] is None else [state.gathered[0].pieces.flatten()]  # type: ignore[attr-defined]
    outputs = model.base.decoder.outputs(torch.cat((some, *offered)).unique())
    state, options = replace(state, outputs=outputs), BeamOptions(5, 0.7, 5)
    (made,) = beam_search(model, state, [25], options, [Constraints(TABLE, [(1, 2)], 3.0, 0.5)])
    monkeypatch.setattr(NativeDecoder, "search", lambda *given: None)
    (wanted,) = beam_search(model, state, [25], options, [Constraints(TABLE, [(1, 2)], 3.0, 0.5)])
    assert [each.pieces for each in made] == [each.pieces for each in wanted]
    assert [each.score for each in made] == pytest.approx([each.score for each in wanted], abs=1e-5)
    assert {piece for each in made for piece in each.pieces} <= set(outputs.pieces.tolist())
    whole = replace(state, outputs=None)
    assert beam_search(model, whole, [25], options, [Constraints(TABLE, [(1, 2)], 3.0, 0.5)])[0] != wanted


@pytest.mark.parametrize("most", [native_decoder._MAX_TRACE_FLOATS, 60_000, 9_000, 0])
@torch.inference_mode()
def test_cached_steps_do_not_change_a_search(
    model: MemoryAugmentedModel, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """With a memory, without one, and with beams of other sizes, in any order; the steps are kept, all, some
    of them, or none."""
    monkeypatch.setattr(native_decoder, "_MAX_TRACE_FLOATS", most)
    torch.manual_seed(8)
    sources = torch.randint(4, 40, (1, 13))
    encoded = model.encode(sources)
    held = start(model, sources, True).gathered

    def search(fresh: bool, remembers: bool, size: int) -> list[list[Hypothesis]]:
        own = replace(encoded) if fresh else encoded  # steps are cached for the identical object
        state = model.start(own, [MemorySnapshot()])
        state = replace(state, gathered=held) if remembers else state
        options = BeamOptions(size, 0.7, size, with_attention=True)
        return beam_search(model, state, [25], options, [Constraints(TABLE, [(1, 2)], 3.0, 0.5)])

    ways = [(remembers, size) for size in (5, 1, 9) for remembers in (True, False)]
    wanted = {way: search(True, *way) for way in ways}
    assert len({str(each) for each in wanted.values()}) > 3
    for order in (ways, ways[::-1]):
        for way in order:
            (made,), (one,) = search(False, *way), wanted[way]
            assert made == one
            for mine, other in zip(made, one, strict=True):
                assert mine.seen is not None and other.seen is not None
                assert torch.equal(mine.seen, other.seen)


@torch.inference_mode()
def test_a_search_can_be_cancelled(model: MemoryAugmentedModel) -> None:
    """Cancellation is checked every few milliseconds; this search lasts longer."""
    state = model.start(model.encode(torch.randint(4, 40, (12, 60))), [MemorySnapshot()] * 12)
    with pytest.raises(Cancelled):
        beam_search(model, state, [500] * 12, BeamOptions(9, n_best=9), cancel=lambda: True)
