"""Terms in search with a model of set probabilities and attention."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
import torch
from torch import Tensor

from anaphora_nmt.models.protocol import StepModel
from anaphora_nmt.nn.state import DecoderState
from anaphora_nmt.search.beam import BeamOptions, beam_search
from anaphora_nmt.search.sentence_terms import PieceKinds, SentenceTerms, TermOptions, TermPlace
from anaphora_nmt.search.terms import TermGuide
from anaphora_nmt.text.vocabulary import EOS

PIECES = [
    "<pad>",
    "<s>",
    "</s>",
    "<unk>",
    "▁the",
    "▁store",
    "▁cache",
    "s",
    "▁is",
    "▁full",
    "▁loss",
    "▁(",
    "ca",
    "che",
    "▁Cache",
    "▁The",
    ".",
    "▁Full",
]
THE, STORE, CACHE, PLURAL, IS, FULL, LOSS, OPEN, CA, CHE, CAPITAL, CAPITAL_THE, STOP, CAPITAL_FULL = range(
    4, 18
)
KINDS = PieceKinds.of(PIECES)


@dataclass(frozen=True)
class StepState(DecoderState):
    """The number of pieces of each row."""

    step: Tensor


class WrittenModel(StepModel):
    """At each step one piece has most of the probability, and some others have more than the rest."""

    device = torch.device("cpu")

    def __init__(self, log_probs: list[dict[int, float]], attended: list[int], columns: int = 4) -> None:
        self.log_probs = torch.full((len(log_probs) + 20, len(PIECES)), -12.0)
        self.log_probs[len(log_probs) :, EOS] = 0.0
        for step, opinions in enumerate(log_probs):
            for piece, log_prob in opinions.items():
                self.log_probs[step, piece] = log_prob
        self.weights = torch.full((len(log_probs) + 20, columns), 0.05)
        for step, column in enumerate(attended):
            self.weights[step, column] = 1 - 0.05 * (columns - 1)

    def start(self) -> StepState:
        return StepState(torch.zeros(1, dtype=torch.long))

    def step(self, previous: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        assert isinstance(state, StepState)
        return self.log_probs[state.step].clone(), StepState(state.step + 1)

    def attention(self, state: DecoderState) -> Tensor:
        assert isinstance(state, StepState)
        return self.weights[state.step - 1].log()


def full_store() -> WrittenModel:
    """ "the store is full": its second piece attended at column 2."""
    return WrittenModel(
        [{THE: -0.1}, {STORE: -0.1, LOSS: -3.0}, {IS: -0.1, PLURAL: -4.0}, {FULL: -0.1}, {EOS: -0.1}],
        [1, 2, 3, 3, 0],
    )


def decoded(
    model: WrittenModel,
    terms: SentenceTerms,
    size: int = 4,
    options: TermOptions | None = None,
    kinds: PieceKinds = KINDS,
) -> list[int]:
    guide = TermGuide([terms], kinds, options or TermOptions())
    (best, *_), *_ = beam_search(model, model.start(), [14], BeamOptions(size, 0.0), [guide])
    return list(best.pieces)


def constraint(*forms: tuple[int, ...], columns: tuple[int, ...] = (2,)) -> SentenceTerms:
    return SentenceTerms((TermPlace(columns, 0),), (forms,))


@pytest.mark.parametrize("size", [1, 2, 4])
def test_a_term_is_written_where_the_decoder_attends_to_it(size: int) -> None:
    greedy = TermOptions(min_attention=0.5, distance=-0.01) if size == 1 else None
    assert decoded(full_store(), constraint((CACHE,)), size, greedy) == [THE, CACHE, IS, FULL, EOS]


def test_the_model_chooses_among_the_forms() -> None:
    forms = constraint((CACHE,), (LOSS,))
    assert decoded(full_store(), forms) == [THE, LOSS, IS, FULL, EOS]


def test_capitals_are_written_at_sentence_starts_or_like_the_models() -> None:
    forms = constraint((CACHE,), (CAPITAL,))
    model = full_store()
    model.log_probs[1, CAPITAL] = -3.0
    assert decoded(model, forms) == [THE, CACHE, IS, FULL, EOS], "likelier, as other words begin with it"
    model.log_probs[1, CAPITAL_THE] = 0.0
    assert decoded(model, forms) == [THE, CAPITAL, IS, FULL, EOS], "a title, in which words have capitals"
    assert decoded(full_store(), constraint((CAPITAL,))) == [THE, CAPITAL, IS, FULL, EOS], "a name"
    begin = [{CAPITAL_FULL: -0.1, CACHE: -3.0}, {IS: -0.1}, {FULL: -0.1}, {EOS: -0.1}]
    opening = WrittenModel(begin, [2, 3, 3, 0])
    assert decoded(opening, forms) == [CAPITAL, IS, FULL, EOS]
    opening.log_probs[0, STORE] = 0.0
    assert decoded(opening, forms) == [CACHE, IS, FULL, EOS], "an entry of a list, in which none has one"
    again = WrittenModel([{FULL: -0.1}, {STOP: -0.1}, *begin], [1, 1, 2, 3, 3, 0])
    assert decoded(again, forms) == [FULL, STOP, CAPITAL, IS, FULL, EOS]


def test_a_form_of_several_pieces_is_completed() -> None:
    assert decoded(full_store(), constraint((LOSS, CACHE)))[:3] == [THE, LOSS, CACHE]


def test_a_complete_form_does_not_become_another_word() -> None:
    model = full_store()
    model.log_probs[2, PLURAL] = 0.0
    assert decoded(model, constraint((CACHE,))) == [THE, CACHE, IS, FULL, EOS]
    assert decoded(model, constraint((CACHE,), (CACHE, PLURAL)))[:3] == [THE, CACHE, PLURAL]


def test_a_form_without_a_space_follows_only_a_bracket() -> None:
    assert decoded(full_store(), constraint((CA, CHE))) == [THE, STORE, IS, FULL, EOS]
    model = full_store()
    model.log_probs[0, OPEN] = 0.0
    assert decoded(model, constraint((CA, CHE)))[:3] == [OPEN, CA, CHE]


def test_each_occurrence_is_rendered_where_it_is_attended_to() -> None:
    model = WrittenModel([{STORE: -0.1}, {IS: -0.1}, {STORE: -0.1}, {EOS: -0.1}], [1, 3, 2, 0])
    terms = SentenceTerms((TermPlace((1,), 0), TermPlace((2,), 0)), (((CACHE,),),))
    assert decoded(model, terms) == [CACHE, IS, CACHE, EOS]


def test_a_term_without_attention_never_forces_endless_text() -> None:
    model = full_store()
    model.weights[:, 0] = 1.0
    assert decoded(model, constraint((CACHE,), columns=(3,)), 2, TermOptions(min_attention=2.0)) == [
        THE,
        STORE,
        IS,
        FULL,
        EOS,
    ]


def test_forbidden_pieces_are_avoided_unless_they_begin_an_allowed_form() -> None:
    never = SentenceTerms((), (), ((STORE,),))
    assert STORE not in decoded(full_store(), never)
    both = SentenceTerms((TermPlace((2,), 0),), (((STORE, CACHE),),), ((STORE,),))
    assert decoded(full_store(), both)[:3] == [THE, STORE, CACHE]
    pair = SentenceTerms((), (), ((STORE, IS),))
    assert decoded(full_store(), pair) == [THE, LOSS, IS, FULL, EOS], "the next best sentence"


def loose() -> TermOptions:
    """Options without a penalty on the model's own words."""
    return TermOptions(own_penalty=0.0, late_own_penalty=0.0)


def test_an_article_comes_before_a_term() -> None:
    """The decoder attends to the term already when it writes the article."""
    model = WrittenModel([{THE: -0.1}, {STORE: -0.1}, {IS: -0.1}, {EOS: -0.1}], [2, 2, 3, 0])
    greedy = TermOptions(min_attention=0.5, distance=-0.01)
    assert decoded(model, constraint((CACHE,)), 1, replace(greedy, waits=False))[0] == CACHE
    assert decoded(model, constraint((CACHE,)), 1, greedy) == [THE, CACHE, IS, EOS]
    assert decoded(model, constraint((CACHE,))) == [THE, CACHE, IS, EOS]


@pytest.mark.parametrize("size", [1, 4])
def test_a_term_does_not_interrupt_the_current_word(size: int) -> None:
    log_probs = [{STORE: -0.1}, {PLURAL: -0.1, IS: -6.0}, {LOSS: -0.1}, {FULL: -0.1}, {EOS: -0.1}]
    model = WrittenModel(log_probs, [1, 2, 2, 3, 0])
    greedy = TermOptions(min_attention=0.5, distance=-0.01) if size == 1 else loose()
    assert decoded(model, constraint((CACHE,)), size, greedy) == [STORE, PLURAL, CACHE, FULL, EOS]


CHINESE = [*PIECES[:4], "▁在", "内存", "缓", "存", "▁缓存", "里", "API", "▁API", "s", "。"]
IN, STORED, HUAN, CUN, AT_BEGIN, INSIDE, API, API_WITH_SPACE, LATIN_S, FULL_STOP = range(4, 14)
CHINESE_KINDS = PieceKinds.of([*CHINESE, *[""] * (len(PIECES) - len(CHINESE))])


def in_store() -> WrittenModel:
    """ "在内存里": its second piece attended at column 2."""
    return WrittenModel([{IN: -0.1}, {STORED: -0.1}, {INSIDE: -0.1}, {EOS: -0.1}], [1, 2, 3, 0])


def in_chinese(model: WrittenModel, *forms: tuple[int, ...]) -> list[int]:
    return decoded(model, constraint(*forms), kinds=CHINESE_KINDS)


def test_a_chinese_term_is_written_without_spaces() -> None:
    model = in_store()
    model.log_probs[1, AT_BEGIN] = -0.2
    assert in_chinese(model, (AT_BEGIN,), (HUAN, CUN)) == [IN, HUAN, CUN, EOS]
    model = WrittenModel([{STORED: -0.1, AT_BEGIN: -2.0}, {INSIDE: -0.1}, {EOS: -0.1}], [2, 3, 0])
    assert in_chinese(model, (AT_BEGIN,), (HUAN, CUN)) == [AT_BEGIN, INSIDE, EOS], "where a text begins"


def test_the_models_own_chinese_word_does_not_follow_a_term() -> None:
    log_probs: list[dict[int, float]] = [
        {IN: -0.1},
        {STORED: -0.1},
        {STORED: -0.3, INSIDE: -2.0},
        {FULL_STOP: -0.1},
    ]
    model = WrittenModel([*log_probs, {EOS: -0.1}], [1, 2, 2, 3, 0])
    assert {API, STORED} <= set(decoded(model, constraint((API,)), options=loose(), kinds=CHINESE_KINDS))
    assert in_chinese(model, (API,)) == [IN, API, INSIDE, FULL_STOP, EOS]
