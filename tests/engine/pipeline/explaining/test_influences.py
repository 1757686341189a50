"""Explained effects of the memory, compared with forced decodings with rebuilt memories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

import pytest
import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.memory.confirmed_pieces import ConfirmedPieces
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.models.memory_augmented import ForcedDecoding
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.pipeline.preparing.lines import PreparedLine, Word, prepare_target
from anaphora_nmt.text.vocabulary import BOS, EOS
from anaphora_nmt.types import MIN_INFLUENCE, Explanation, SearchOptions, SourceSegment

CONFIRMED = (
    ("训练循环更新模型的参数。", "The training cycle updates the parameters of the model."),
    ("编写一个基本训练循环。", "Write a basic training cycle."),
    ("自动微分计算梯度。", "Auto-differentiation computes gradients."),
    (
        "张量是多维数组，训练循环使用张量。",
        "A hypertensor is an array; the training cycle uses them.",
    ),
)
SOURCES = ("编写一个自定义训练循环。", "使用自动微分和张量。")
USERS = ("Write a custom training loop.", "Use automatic differentiation and tensors.")
GREEDY = SearchOptions(beam_size=1, memories={"word_caches": False})
READ = frozenset({"confirmed"})
PLACES = [str(len(CONFIRMED) + number) for number in range(len(SOURCES))]
HIDING = (
    ("张量的形状。", "The shape of the hypertensor."),
    ("这些张量的形状。", "The shape of the hypertensors."),
    ("自动微分很快。", "Auto-differentiation is fast."),
    ("自动微分器很快。", "Auto-differentiators are fast."),
)
HIDDEN = ("改变这些张量的形状。", "自动微分和张量。")
LEADING = (("打开文件。", "Hello world."), ("打开窗口。", "Hello world."))
LED = ("打开目录。",)


@pytest.fixture(scope="module")
def opened(translator: Translator) -> Iterator[Translator]:
    documents = (("i", CONFIRMED, SOURCES), ("hiding", HIDING, HIDDEN), ("leading", LEADING, LED))
    for name, confirmed, rest in documents:
        sources = [*(source for source, _ in confirmed), *rest]
        translator.open_document(name, [SourceSegment(str(n), text) for n, text in enumerate(sources)])
        for number, (_, target) in enumerate(confirmed):
            translator.remember(name, str(number), target)
    yield translator
    for name, _, _ in documents:
        translator.close_document(name)


class Rebuilt:
    """Forced decodings of one text with memories that were built without some words."""

    def __init__(self, translator: Translator, segment: str, text: str, name: str = "i") -> None:
        self.drafter = translator.corpus().drafter
        self.model = self.drafter.model
        document = translator.opened(name)
        self.memory, index = document.memory, document.index(segment)
        self.snapshot: MemorySnapshot = self.memory.before(index)
        source = document.source(index)
        self.encoded = self.drafter.encode_whole([source])
        self.target: PreparedLine = prepare_target(text, source.line.strings, self.drafter.target)
        self.ids = torch.tensor([[*self.target.ids, EOS]], device=self.model.device)

    def held(self) -> ConfirmedPieces:
        held = self.snapshot.contents["confirmed"]
        assert isinstance(held, ConfirmedPieces)
        return held

    def entries(self, label: str, segment: str = "") -> list[tuple[int, ...]]:
        """Columns of the remembered words of a spelling, from one segment or from all."""
        text = self.model.vocabulary.text
        return [
            columns
            for word, writer, columns in self.held().words()
            if text(word) == label and segment in ("", self.memory.segments[writer])
        ]

    def without(self, columns: Sequence[int]) -> ForcedDecoding:
        return self.decode(self.left(columns))

    def left(self, columns: Sequence[int]) -> MemorySnapshot:
        """The memory built without some columns, literally."""
        contents = {**self.snapshot.contents, "confirmed": self.held().without(set(columns))}
        return replace(self.snapshot, contents=contents)

    def decode(self, snapshot: MemorySnapshot, use: frozenset[str] = READ) -> ForcedDecoding:
        with torch.inference_mode():
            return self.model.force_decode(self.encoded, self.ids, [snapshot], use)

    def change(self, left: ForcedDecoding, word: Word) -> float:
        changes = self.decode(self.snapshot).target_log_probs - left.target_log_probs
        return float(changes[0, slice(*word.pieces)].sum())

    def writes(self, decoded: ForcedDecoding, word: Word) -> bool:
        """True if the model continues with the pieces of the word."""
        with torch.inference_mode():
            best = self.model.fused_log_probs(decoded)[1][0].argmax(-1)
        return torch.equal(best[slice(*word.pieces)], self.ids[0, slice(*word.pieces)])

    def written(self, word: Word, snapshot: MemorySnapshot) -> str:
        """The word that the model writes after the previous words, step by step."""
        given, text = list(self.target.ids[: word.pieces[0]]), self.model.vocabulary
        with torch.inference_mode():
            state, log_probs = self.model.start(self.encoded, [snapshot], READ), None
            for piece in (BOS, *given):
                log_probs, state = self.model.step(torch.tensor([piece], device=self.model.device), state)
            spelled: list[int] = []
            while True:
                assert log_probs is not None
                piece = int(log_probs.argmax(-1))
                if spelled and not text.continues[piece]:
                    return self.drafter.target.decode(spelled).strip()
                spelled.append(piece)
                if not (text.continues[piece] or text.starts[piece]):
                    return self.drafter.target.decode(spelled).strip()
                log_probs, state = self.model.step(torch.tensor([piece], device=self.model.device), state)


def explained(translator: Translator, number: int, draft: bool) -> tuple[Explanation, Rebuilt]:
    place = PLACES[number]
    text = translator.translate("i", place, GREEDY).text if draft else USERS[number]
    return translator.explain("i", place, text, options=GREEDY), Rebuilt(translator, place, text)


@pytest.mark.parametrize("draft", [True, False])
@pytest.mark.parametrize("number", range(len(SOURCES)))
@pytest.mark.slow
def test_influences_equal_those_of_rebuilt_memories(opened: Translator, number: int, draft: bool) -> None:
    explanation, rebuilt = explained(opened, number, draft)
    whole, nothing = rebuilt.decode(rebuilt.snapshot), rebuilt.decode(rebuilt.snapshot, frozenset())
    acted = 0
    for token, word in zip(explanation.tokens, rebuilt.target.words, strict=True):
        assert token.memory_influence == pytest.approx(rebuilt.change(nothing, word), abs=1e-4)
        changed = rebuilt.writes(whole, word) and not rebuilt.writes(nothing, word)
        assert (token.without_memory is not None) == changed
        if changed:
            assert token.without_memory == rebuilt.written(word, MemorySnapshot()) != token.word
        for use in token.uses:
            left = rebuilt.without([column for each in rebuilt.entries(use.label) for column in each])
            assert use.influence == pytest.approx(rebuilt.change(left, word), abs=1e-4)
            if not changed:
                lost = rebuilt.writes(whole, word) and not rebuilt.writes(left, word)
                assert use.decisive == (lost and (use.influence or 0.0) >= MIN_INFLUENCE)
            acted += abs(use.influence or 0.0) >= MIN_INFLUENCE
            for each in use.occurrences:
                alone = [
                    rebuilt.change(rebuilt.without(columns), word)
                    for columns in rebuilt.entries(each.label, each.segment)
                ]
                assert any(each.influence == pytest.approx(one, abs=1e-4) for one in alone)
    assert acted >= 2


def test_repeated_words_are_left_out_together(opened: Translator) -> None:
    explanation, _ = explained(opened, 0, draft=True)
    token = next(token for token in explanation.tokens if token.word == "cycle")
    use = token.uses[0]
    assert (use.label, use.decisive, token.without_memory) == ("cycle", True, "loop")
    assert {each.segment for each in use.occurrences} == {"0", "1", "3"}
    together = use.influence
    assert together is not None and use.segment == use.occurrences[0].segment
    assert all(each.influence is not None and each.influence < together for each in use.occurrences)


@pytest.mark.slow
def test_without_decisive_words_the_model_writes_the_plain_word(opened: Translator) -> None:
    places = [str(len(HIDING) + number) for number in range(len(HIDDEN))]
    assert set().union(*(decisive_words(opened, place) for place in places)) == {1, 2}


def decisive_words(opened: Translator, place: str) -> set[int]:
    """The numbers of decisive words for each word of a draft; each set is checked with the model."""
    text = opened.translate("hiding", place, GREEDY).text
    explanation = opened.explain("hiding", place, text, options=GREEDY)
    rebuilt = Rebuilt(opened, place, text, "hiding")
    sizes = set()
    for token, word in zip(explanation.tokens, rebuilt.target.words, strict=True):
        if token.without_memory is None:
            continue
        decisive = [use for use in token.uses if use.decisive]
        assert list(token.uses[: len(decisive)]) == decisive, "named first"
        columns = [[c for each in rebuilt.entries(use.label) for c in each] for use in decisive]
        assert rebuilt.written(word, rebuilt.left([*chain(*columns)])) == token.without_memory
        for spared in range(len(columns)) if len(columns) > 1 else ():
            rest = chain(*columns[:spared], *columns[spared + 1 :])
            assert rebuilt.written(word, rebuilt.left([*rest])) != token.without_memory, "the set is minimal"
        sizes.add(len(decisive))
    return sizes


@pytest.mark.slow
def test_source_influences_equal_decodings_without_each_word(opened: Translator) -> None:
    explanation, rebuilt = explained(opened, 0, draft=True)
    number = next(n for n, token in enumerate(explanation.tokens) if token.word == "training")
    stretches = [(word.start, word.end) for word in explanation.source_words]
    left_out = opened.stretch_influences("i", PLACES[0], explanation.text, stretches)
    found = [each.words[number] for each in left_out]
    source, base = opened.opened("i").source(len(CONFIRMED)), rebuilt.model.base

    @torch.inference_mode()
    def likelihood(left_out: Word | None) -> float:
        mask = rebuilt.encoded.mask.clone()
        if left_out is not None:
            mask[0, left_out.pieces[0] + 1 : left_out.pieces[1] + 1] = False
        state, previous, total = base.decoder.start(Encoded(rebuilt.encoded.states, mask)), BOS, 0.0
        first, end = rebuilt.target.words[number].pieces
        for step, piece in enumerate(rebuilt.target.ids[:end]):
            features, state = base.decoder.step(torch.tensor([previous], device=rebuilt.model.device), state)
            total += float(base.decoder.logits(features).log_softmax(-1)[0, piece]) * (step >= first)
            previous = piece
        return total

    whole = likelihood(None)
    assert found == pytest.approx([whole - likelihood(word) for word in source.words], abs=1e-4)
    strongest = max(range(len(found)), key=lambda place: found[place])
    assert explanation.source_words[strongest].word == "训练" and found[strongest] > 1


def test_a_stretch_has_an_influence_on_every_target_word(opened: Translator) -> None:
    explanation, _ = explained(opened, 0, draft=True)
    words = explanation.source_words
    place = next(number for number, word in enumerate(words) if word.word == "训练")
    first, last = words[place], words[place + 1]
    alone, both, nothing = opened.stretch_influences(
        "i", PLACES[0], explanation.text, [(first.start, first.end), (first.start, last.end), (0, 0)]
    )
    assert len(alone.words) == len(both.words) == len(explanation.tokens)
    number = max(range(len(alone.words)), key=lambda place: alone.words[place])
    assert explanation.tokens[number].word == "training" and alone.words[number] > 1
    assert both.words != pytest.approx(alone.words, abs=0.1)
    assert nothing.words == pytest.approx([0.0] * len(explanation.tokens), abs=1e-4)
    assert opened.stretch_influences("i", PLACES[0], explanation.text, ()) == ()
