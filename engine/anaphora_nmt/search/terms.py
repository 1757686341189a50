"""Terms in search: the forms of a term become probable at steps that attend to the term in the source.

As in guided decoding (Chatterjee et al., 2017), attention places the constraints: if a step's attention is
on a source term, the first pieces of its forms are raised until the best of them is nearly as probable as
the best piece of all. The forms keep their relative order, so the model chooses the inflection. A hypothesis
that turns its attention away from a term without rendering it gets a penalty, which is refunded if the
hypothesis renders the term later.

The model's own word for a term should not appear beside the term ("cache" in "larder cache"). So content
words that are probable at a step that attends to the term get a penalty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from anaphora_nmt.search.constraints import NextScores
from anaphora_nmt.search.sentence_terms import PieceKinds, SentenceTerms, TermOptions, TermPlace
from anaphora_nmt.text.vocabulary import EOS

_NEVER = float("-inf")


@dataclass(slots=True)
class _Node:
    """A node of a trie of forms.

    Attributes:
        terms: terms with a form that ends here.
        terms_below: terms with a form that ends here or below.
    """

    children: dict[int, _Node] = field(default_factory=dict)
    terms: set[int] = field(default_factory=set)
    terms_below: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class AttentionFocus:
    """The attention of a hypothesis at a step. Places are indexes of `SentenceTerms.places`.

    Attributes:
        places, already_rendered: unrendered and rendered places with attention.
        is_sure, is_sure_of_rendered: whether the sum of the attention on the unrendered places, or on the
            rendered places, reaches `TermOptions.min_sure`.
        own_pieces: pieces that begin the model's own words for the terms at the places.
    """

    places: frozenset[int] = frozenset()
    already_rendered: frozenset[int] = frozenset()
    is_sure: bool = False
    is_sure_of_rendered: bool = False
    own_pieces: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a hypothesis, with places as in `AttentionFocus`.

    Attributes:
        sentence: index of the sentence in the batch.
        met: places whose terms are rendered.
        node: node of the unfinished form, or None.
        is_required: whether the form must be completed.
        tail: the last pieces, at most as many as in the longest forbidden sequence.
        attended: unrendered places that had attention when the last piece was chosen.
        missed: unrendered places for which the hypothesis got a penalty.
        own_pieces: by place, pieces that begin the model's own words for the term.
        just_rendered: places rendered by the form that ends with the last piece.
        focus: the attention at the current step.
    """

    sentence: int
    met: frozenset[int] = frozenset()
    node: _Node | None = None
    is_required: bool = False
    tail: tuple[int, ...] = ()
    attended: frozenset[int] = frozenset()
    missed: frozenset[int] = frozenset()
    own_pieces: Mapping[int, frozenset[int]] = field(default_factory=dict)
    just_rendered: frozenset[int] = frozenset()
    focus: AttentionFocus = AttentionFocus()

    @property
    def in_form(self) -> bool:
        return self.is_required and self.node is not None and not self.node.terms


class TermGuide:
    def __init__(self, sentences: Sequence[SentenceTerms], kinds: PieceKinds, options: TermOptions) -> None:
        self._sentences = sentences
        self._kinds = kinds
        self._options = options
        self._tries = [_trie(sentence.forms) for sentence in sentences]
        self._forbidden = [_by_last_but_one(sentence.forbidden) for sentence in sentences]
        self._mask = torch.tensor(kinds.continues)
        self._longest = max((len(each) for sentence in sentences for each in sentence.forbidden), default=1)

    def start(self, sentence: int) -> Progress:
        return Progress(sentence)

    def adjust(self, scores: NextScores, progress: Progress) -> Progress:
        """Change scores by the attention; if the model has none, missing terms are raised at every step."""
        weights = scores.attention
        focus, values = self._focus(progress, weights), scores.values
        best, leading = (each.item() for each in values.max(0))
        if best > _NEVER:
            if (focus.places or focus.is_sure_of_rendered) and weights is not None and not progress.in_form:
                focus = replace(focus, own_pieces=self._own_pieces(values, progress))
            self._adjust_row(values, best, int(leading), progress, focus)
        return replace(progress, focus=focus)

    def native(self) -> None:
        return None

    def advance(self, progress: Progress, piece: int) -> Progress:
        focus = progress.focus
        seen = focus.places
        root = self._tries[progress.sentence]
        node, is_required, before = None, False, frozenset[int]()
        if progress.node is not None and piece in progress.node.children:
            node, is_required = progress.node.children[piece], progress.is_required
            before = progress.just_rendered
        elif piece in root.children and self._may_begin(progress, piece):
            node = root.children[piece]
            is_required = any(self._places(progress)[place].term in node.terms_below for place in seen)
        rendered = frozenset[int]() if node is None else self._rendered(progress, node, seen)
        met, just_rendered = progress.met | rendered, before | rendered
        tail = (*progress.tail, piece)[-self._longest :]
        missed = (progress.missed | self._newly_missed(progress, seen)) - met
        attended = (seen | progress.attended if progress.in_form else seen) - met
        own = dict(progress.own_pieces)
        for place in seen if focus.own_pieces else ():
            own[place] = own.get(place, frozenset()) | focus.own_pieces
        return Progress(progress.sentence, met, node, is_required, tail, attended, missed, own, just_rendered)

    def count_missing_terms(self, sentence: int, pieces: Sequence[int]) -> int:
        return self._count_missing_terms(self._replay(sentence, pieces))

    def count_unrendered(self, sentence: int, pieces: Sequence[int]) -> int:
        progress = self._replay(sentence, pieces)
        return len(self._places(progress)) - len(progress.met)

    def _replay(self, sentence: int, pieces: Sequence[int]) -> Progress:
        """The progress after a translation, without forms inside longer words ("data" in "database")."""
        progress = Progress(sentence)
        for index, piece in enumerate(pieces):
            further = self.advance(progress, piece)
            if further.met != progress.met and self._word_continues(*pieces[index : index + 2]):
                further = replace(further, met=progress.met, just_rendered=progress.just_rendered)
            progress = further
        return progress

    def _word_continues(self, piece: int, after: int | None = None) -> bool:
        ends = self._kinds.closes[piece] or self._kinds.opens[piece]
        return after is not None and self._kinds.continues[after] and not ends

    def _count_missing_terms(self, progress: Progress) -> int:
        places = self._places(progress)
        return len({place.term for place in places} - {places[place].term for place in progress.met})

    def _newly_missed(self, progress: Progress, seen: frozenset[int]) -> frozenset[int]:
        if progress.in_form:
            return frozenset()
        return progress.attended - seen - progress.met - progress.missed

    def _places(self, progress: Progress) -> tuple[TermPlace, ...]:
        return self._sentences[progress.sentence].places

    def _focus(self, progress: Progress, weights: Sequence[float] | None) -> AttentionFocus:
        if weights is None:
            every = frozenset(range(len(self._places(progress))))
            return AttentionFocus(every - progress.met)
        places = enumerate(self._places(progress))
        shares = {number: sum(weights[column] for column in place.columns) for number, place in places}
        seen = frozenset(number for number, share in shares.items() if share >= self._options.min_attention)
        sure = sum(shares[number] for number in seen - progress.met) >= self._options.min_sure
        rendered = frozenset(number for number in progress.met if shares[number] >= self._options.min_echo)
        sure_of_rendered = sum(shares[number] for number in rendered) >= self._options.min_sure
        return AttentionFocus(seen - progress.met, rendered, sure, sure_of_rendered)

    def _own_pieces(self, scores: Tensor, progress: Progress) -> frozenset[int]:
        near = self._kinds.words.near_best(scores, self._options.own_distance)
        return self._kinds.words.forms(near) - self._tries[progress.sentence].children.keys()

    def _charge_own(self, scores: Tensor, progress: Progress, focus: AttentionFocus) -> None:
        if focus.is_sure and focus.own_pieces:
            scores[list(focus.own_pieces)] -= self._options.own_penalty
        penalised = set(focus.own_pieces) if focus.is_sure_of_rendered and not focus.places else set[int]()
        for place in focus.already_rendered | progress.just_rendered:
            penalised |= progress.own_pieces.get(place, frozenset())
        if penalised:
            scores[list(penalised)] -= self._options.late_own_penalty

    def _adjust_row(
        self, scores: Tensor, best: float, leading: int, progress: Progress, focus: AttentionFocus
    ) -> None:
        node, seen = progress.node, focus.places
        missed = self._newly_missed(progress, seen)
        if node is not None and progress.in_form:
            following = [piece for piece in node.children if float(scores[piece]) > _NEVER]
            if following:
                # Completing a form costs nothing; the model chooses among forms with the same first pieces.
                relative = scores[following] - scores[following].max()
                scores.fill_(_NEVER)
                scores[following] = relative
                self._refund(scores, progress, seen, progress.missed)
                return
        if node is not None and progress.is_required and node.terms:
            self._end_word(scores, progress, node)
        if seen and (node is None or node.terms):
            self._raise_forms(scores, best, leading, progress, seen)
        self._charge_own(scores, progress, focus)
        self._forbid_sequences(scores, progress)
        if missed:
            scores -= self._options.missed_penalty * len(missed)
        self._refund(scores, progress, seen, progress.missed | missed)
        if missing := self._count_missing_terms(progress):
            scores[EOS] -= self._options.unmet_penalty * missing
            if leading == EOS and progress.tail and self._kinds.ends[progress.tail[-1]]:
                # Text after the model's own end of the sentence would be useless.
                end = float(scores[EOS])
                scores.fill_(_NEVER)
                scores[EOS] = end

    def _refund(
        self, scores: Tensor, progress: Progress, seen: frozenset[int], missed: frozenset[int]
    ) -> None:
        if not missed:
            return
        children = dict(self._tries[progress.sentence].children)
        if progress.node is not None:
            children |= progress.node.children
        for piece, child in children.items():
            if paid := self._rendered(progress, child, seen) & missed:
                scores[piece] += self._options.missed_penalty * len(paid)

    def _end_word(self, scores: Tensor, progress: Progress, node: _Node) -> None:
        if self._kinds.closes[progress.tail[-1]]:
            return
        kept = {piece: float(scores[piece]) for piece in node.children}
        values = scores.masked_fill(self._continuing_pieces(scores), _NEVER)
        if float(values.max()) > _NEVER:
            scores.copy_(values)
            for piece, value in kept.items():
                scores[piece] = value

    def _continuing_pieces(self, scores: Tensor) -> Tensor:
        return self._mask.to(scores.device)

    def _raise_forms(
        self, scores: Tensor, best: float, leading: int, progress: Progress, seen: frozenset[int]
    ) -> None:
        root, places = self._tries[progress.sentence], self._places(progress)
        if self._options.waits and leading in self._kinds.words.function:
            return
        if progress.tail and self._word_continues(progress.tail[-1], leading):
            # If the best piece continues a word, an equally probable form would cut the word off.
            best = float(scores.masked_fill(self._continuing_pieces(scores), _NEVER).max())
        for term in {places[place].term for place in seen}:
            first = [
                piece
                for piece, node in root.children.items()
                if term in node.terms_below and self._may_begin(progress, piece)
            ]
            if first := self._in_case(first, leading, progress):
                lift = best - self._options.distance - float(scores[first].max())
                if 0 < lift < float("inf"):
                    scores[first] += lift

    def _in_case(self, first: list[int], leading: int, progress: Progress) -> list[int]:
        kinds = self._kinds
        is_opening = not progress.tail or kinds.ends[progress.tail[-1]]
        if kinds.capital[leading] and not is_opening:
            return first
        wrong = kinds.small if is_opening and not kinds.small[leading] else kinds.capital
        return [piece for piece in first if not wrong[piece]] or first

    def _may_begin(self, progress: Progress, piece: int) -> bool:
        """True if a piece may begin a form. If it can continue a word, a bracket or the like must precede."""
        if self._kinds.spaced[piece]:
            return not progress.tail or not self._kinds.opens[progress.tail[-1]]
        if not self._kinds.continues[piece]:
            return True
        return bool(progress.tail) and self._kinds.opens[progress.tail[-1]]

    def _forbid_sequences(self, scores: Tensor, progress: Progress) -> None:
        node, forbidden = progress.node, self._forbidden[progress.sentence]
        after_tail = forbidden.get(progress.tail[-1], ()) if progress.tail else ()
        for pieces in (*forbidden.get(None, ()), *after_tail):
            *before, last = pieces
            if before and progress.tail[-len(before) :] != tuple(before):
                continue
            in_form = node is not None and last in node.children
            if not in_form and not self._begins_form(progress, pieces):
                scores[last] = _NEVER

    def _begins_form(self, progress: Progress, pieces: Sequence[int]) -> bool:
        node: _Node | None = self._tries[progress.sentence]
        for piece in pieces:
            node = node.children.get(piece) if node is not None else None
        return node is not None

    def _rendered(self, progress: Progress, node: _Node, seen: frozenset[int]) -> frozenset[int]:
        places = self._places(progress)
        rendered = set()
        for term in node.terms:
            left = [
                number
                for number, place in enumerate(places)
                if place.term == term and number not in progress.met
            ]
            rendered.update(
                sorted(left, key=lambda number: (number not in seen, number not in progress.attended))[:1]
            )
        return frozenset(rendered)


def _by_last_but_one(sequences: Iterable[tuple[int, ...]]) -> dict[int | None, list[tuple[int, ...]]]:
    by_piece: dict[int | None, list[tuple[int, ...]]] = {}
    for pieces in sequences:
        if pieces:
            by_piece.setdefault(pieces[-2] if len(pieces) > 1 else None, []).append(pieces)
    return by_piece


def _trie(forms: Sequence[Sequence[Sequence[int]]]) -> _Node:
    root = _Node()
    for term, sequences in enumerate(forms):
        for pieces in sequences:
            node = root
            for piece in pieces:
                node = node.children.setdefault(piece, _Node())
                node.terms_below.add(term)
            if pieces:
                node.terms.add(term)
    return root
