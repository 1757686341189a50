"""Terms in search: what a source term must be called is made affordable where the decoder looks at the term.

Constraints placed by attention, as in guided decoding (Chatterjee et al., 2017): at a step whose attention
lies on a source term, the pieces that begin one of its forms are raised until the best of them is nearly as
probable as the best piece of all. A form that was begun so is ended. The forms keep their order among each
other, so the model chooses the inflection. Capitals are raised where a sentence begins or the best piece has
one. A hypothesis that looks away from a term without having rendered it pays at once, and is paid back if it
renders it later. To end without a term costs more.

Nor is the model's own word for a term to stand beside it ("cache" in "larder cache"): words of content that
it holds probable there (`search/sentence_terms.py`) cost, and more once the term has been rendered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from anaphora_nmt.search.adjusters import NextScores
from anaphora_nmt.search.sentence_terms import PieceKinds, SentenceTerms, TermOptions, TermPlace
from anaphora_nmt.text.vocabulary import EOS

_NEVER = float("-inf")


@dataclass(slots=True)
class _Node:
    """A beginning of forms: what may follow, and the terms that it renders as it is."""

    children: dict[int, _Node] = field(default_factory=dict)
    terms: set[int] = field(default_factory=set)
    below: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class AttentionFocus:
    """Attention of a hypothesis before it chooses a token: to unrendered places, and to rendered
    ones.

    Attributes:
        is_sure, is_sure_of_rendered: True if it looks at the former or the latter enough to render
            them.
        own: pieces that begin the model's own words for the places.
    """

    places: frozenset[int] = frozenset()
    already_rendered: frozenset[int] = frozenset()
    is_sure: bool = False
    is_sure_of_rendered: bool = False
    own: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a hypothesis is.

    Attributes:
        sentence: its number.
        met: numbers of the places whose terms it has rendered.
        node: of the form that it is in; None: in none.
        held: whether it has to end this form.
        tail: its last pieces.
        looked: the places that it looked at when it chose the last piece.
        missed: the places that it has paid for.
        own: by place the pieces that begin the model's own words for it.
        just_rendered: the places that the form which ends with the last piece rendered.
        focus: what it attends to before it chooses the next piece.
    """

    sentence: int
    met: frozenset[int] = frozenset()
    node: _Node | None = None
    held: bool = False
    tail: tuple[int, ...] = ()
    looked: frozenset[int] = frozenset()
    missed: frozenset[int] = frozenset()
    own: Mapping[int, frozenset[int]] = field(default_factory=dict)
    just_rendered: frozenset[int] = frozenset()
    focus: AttentionFocus = AttentionFocus()

    @property
    def within(self) -> bool:
        """True inside a form that it must finish."""
        return self.held and self.node is not None and not self.node.terms


class TermGuide:
    """Adjusts a step's scores by the terms of each sentence, and follows which of them appear."""

    def __init__(self, sentences: Sequence[SentenceTerms], kinds: PieceKinds, options: TermOptions) -> None:
        self._sentences = sentences
        self._kinds = kinds
        self._options = options
        self._tries = [_trie(sentence.forms) for sentence in sentences]
        self._forbidden = [_by_last_but_one(sentence.forbidden) for sentence in sentences]
        self._mask = torch.tensor(kinds.goes_on)
        self._longest = max((len(each) for one in sentences for each in one.forbidden), default=1)

    def start(self, sentence: int) -> Progress:
        return Progress(sentence)

    def adjust(self, scores: NextScores, progress: Progress) -> Progress:
        """Change scores by what the hypothesis attends to; without attention a term is affordable
        anywhere."""
        weights = scores.attention
        focus, values = self._focus(progress, weights), scores.values
        best, leading = (each.item() for each in values.max(0))
        if best > _NEVER:
            if (focus.places or focus.is_sure_of_rendered) and weights is not None and not progress.within:
                focus = replace(focus, own=self._own(values, progress))
            self._adjust_row(values, best, int(leading), progress, focus)
        return replace(progress, focus=focus)

    def native(self) -> None:
        return None

    def advance(self, progress: Progress, piece: int) -> Progress:
        focus = progress.focus
        seen = focus.places
        root = self._tries[progress.sentence]
        node, held, before = None, False, frozenset[int]()
        if progress.node is not None and piece in progress.node.children:
            node, held, before = progress.node.children[piece], progress.held, progress.just_rendered
        elif piece in root.children and self._may_begin(progress, piece):
            node = root.children[piece]
            held = any(self._places(progress)[place].term in node.below for place in seen)
        rendered = frozenset[int]() if node is None else self._rendered(progress, node, seen)
        met, just_rendered = progress.met | rendered, before | rendered
        tail = (*progress.tail, piece)[-self._longest :]
        missed = (progress.missed | self._newly_missed(progress, seen)) - met
        looked = (seen | progress.looked if progress.within else seen) - met
        own = progress.own
        if focus.own and seen:
            own = {**own, **{place: own.get(place, frozenset()) | focus.own for place in seen}}
        return Progress(progress.sentence, met, node, held, tail, looked, missed, own, just_rendered)

    def lacking(self, sentence: int, pieces: Sequence[int]) -> int:
        """How many terms a translation of a sentence lacks."""
        return self._lacking(self._followed(sentence, pieces))

    def unmet(self, sentence: int, pieces: Sequence[int]) -> int:
        """How many occurrences of terms a translation of a sentence does not render."""
        progress = self._followed(sentence, pieces)
        return len(self._places(progress)) - len(progress.met)

    def _followed(self, sentence: int, pieces: Sequence[int]) -> Progress:
        """A finished translation. Beginnings of longer words are not forms: "data" in "database"."""
        progress = Progress(sentence)
        for place, piece in enumerate(pieces):
            further = self.advance(progress, piece)
            if further.met != progress.met and self._word_goes_on(*pieces[place : place + 2]):
                further = replace(further, met=progress.met, just_rendered=progress.just_rendered)
            progress = further
        return progress

    def _word_goes_on(self, piece: int, after: int | None = None) -> bool:
        kinds = self._kinds
        return after is not None and kinds.goes_on[after] and not (kinds.closes[piece] or kinds.opens[piece])

    def _lacking(self, progress: Progress) -> int:
        places = self._places(progress)
        return len({place.term for place in places} - {places[place].term for place in progress.met})

    def _newly_missed(self, progress: Progress, seen: frozenset[int]) -> frozenset[int]:
        if progress.within:
            return frozenset()
        return progress.looked - seen - progress.met - progress.missed

    def _places(self, progress: Progress) -> tuple[TermPlace, ...]:
        return self._sentences[progress.sentence].places

    def _focus(self, progress: Progress, weights: Sequence[float] | None) -> AttentionFocus:
        if weights is None:
            every = frozenset(range(len(self._places(progress))))
            return AttentionFocus(every - progress.met)
        places = enumerate(self._places(progress))
        shares = {number: sum(weights[column] for column in place.columns) for number, place in places}
        seen = frozenset(number for number, share in shares.items() if share >= self._options.look)
        sure = sum(shares[number] for number in seen - progress.met) >= self._options.sure
        rendered = frozenset(number for number in progress.met if shares[number] >= self._options.echo)
        sure_of_rendered = sum(shares[number] for number in rendered) >= self._options.sure
        return AttentionFocus(seen - progress.met, rendered, sure, sure_of_rendered)

    def _own(self, scores: Tensor, progress: Progress) -> frozenset[int]:
        """The pieces that begin the model's own words at this step, [V], and no form."""
        near = self._kinds.words.near_best(scores, self._options.near)
        return self._kinds.words.forms(near) - self._tries[progress.sentence].children.keys()

    def _charge_own(self, scores: Tensor, progress: Progress, focus: AttentionFocus) -> None:
        """The cost of the model's own words for a term before it is rendered, and afterwards."""
        if focus.is_sure and focus.own:
            scores[list(focus.own)] -= self._options.own
        held = set(focus.own) if focus.is_sure_of_rendered and not focus.places else set[int]()
        for place in focus.already_rendered | progress.just_rendered:
            held |= progress.own.get(place, frozenset())
        if held:
            scores[list(held)] -= self._options.own_again

    def _adjust_row(
        self, scores: Tensor, best: float, leading: int, progress: Progress, focus: AttentionFocus
    ) -> None:
        node, seen = progress.node, focus.places
        missed = self._newly_missed(progress, seen)
        if node is not None and progress.within:
            following = [piece for piece in node.children if float(scores[piece]) > _NEVER]
            if following:
                # A form that was begun is ended at no cost; which one, the model chooses.
                kept = scores[following] - scores[following].max()
                scores.fill_(_NEVER)
                scores[following] = kept
                self._pay_back(scores, progress, seen, progress.missed)
                return
        if node is not None and progress.held and node.terms:
            self._end_word(scores, progress, node)
        if seen and (node is None or node.terms):
            self._raise(scores, best, leading, progress, seen)
        self._charge_own(scores, progress, focus)
        self._forbid(scores, progress)
        if missed:
            scores -= self._options.missed * len(missed)
        self._pay_back(scores, progress, seen, progress.missed | missed)
        if lacking := self._lacking(progress):
            scores[EOS] -= self._options.unmet * lacking
            if leading == EOS and progress.tail and self._kinds.ends[progress.tail[-1]]:
                # Nothing that is worth reading follows where the model ends a text.
                end = float(scores[EOS])
                scores.fill_(_NEVER)
                scores[EOS] = end

    def _pay_back(
        self, scores: Tensor, progress: Progress, seen: frozenset[int], missed: frozenset[int]
    ) -> None:
        """Give back, at the pieces that complete a form, what was paid for the place that it renders."""
        if not missed:
            return
        children = dict(self._tries[progress.sentence].children)
        if progress.node is not None:
            children |= progress.node.children
        for piece, child in children.items():
            if paid := self._rendered(progress, child, seen) & missed:
                scores[piece] += self._options.missed * len(paid)

    def _end_word(self, scores: Tensor, progress: Progress, node: _Node) -> None:
        """A form that is complete is not gone on with, except to a longer form or where its script has no
        spaces."""
        if self._kinds.closes[progress.tail[-1]]:
            return
        kept = {piece: float(scores[piece]) for piece in node.children}
        values = scores.masked_fill(self._goes_on(scores), _NEVER)
        if float(values.max()) > _NEVER:
            scores.copy_(values)
            for piece, value in kept.items():
                scores[piece] = value

    def _goes_on(self, scores: Tensor) -> Tensor:
        return self._mask.to(scores.device)

    def _raise(
        self, scores: Tensor, best: float, leading: int, progress: Progress, seen: frozenset[int]
    ) -> None:
        root, places = self._tries[progress.sentence], self._places(progress)
        if self._options.waits and leading in self._kinds.words.function:
            return
        if progress.tail and self._word_goes_on(progress.tail[-1], leading):
            # That a word ends here is not forgiven: it would be cut ("abs penalty").
            best = float(scores.masked_fill(self._goes_on(scores), _NEVER).max())
        for term in {places[place].term for place in seen}:
            first = [
                piece
                for piece, node in root.children.items()
                if term in node.below and self._may_begin(progress, piece)
            ]
            if first := self._in_case(first, leading, progress):
                lift = best - self._options.below - float(scores[first].max())
                if 0 < lift < float("inf"):
                    scores[first] += lift

    def _in_case(self, first: list[int], leading: int, progress: Progress) -> list[int]:
        """The pieces that begin a form in the case that a word has here; all pieces, where none has it."""
        kinds = self._kinds
        is_opening = not progress.tail or kinds.ends[progress.tail[-1]]
        if kinds.capital[leading] and not is_opening:
            return first
        wrong = kinds.small if is_opening and not kinds.small[leading] else kinds.capital
        return [piece for piece in first if not wrong[piece]] or first

    def _may_begin(self, progress: Progress, piece: int) -> bool:
        """True if a form may begin here with that piece: one without a space only after a bracket."""
        if self._kinds.spaced[piece]:
            return not progress.tail or not self._kinds.opens[progress.tail[-1]]
        if not self._kinds.goes_on[piece]:
            return True
        return bool(progress.tail) and self._kinds.opens[progress.tail[-1]]

    def _forbid(self, scores: Tensor, progress: Progress) -> None:
        node, forbidden = progress.node, self._forbidden[progress.sentence]
        after_tail = forbidden.get(progress.tail[-1], ()) if progress.tail else ()
        for pieces in (*forbidden.get(None, ()), *after_tail):
            *before, last = pieces
            if before and progress.tail[-len(before) :] != tuple(before):
                continue
            within = node is not None and last in node.children
            if not within and not self._begins_form(progress, pieces):
                scores[last] = _NEVER

    def _begins_form(self, progress: Progress, pieces: Sequence[int]) -> bool:
        """True if an allowed form begins with forbidden pieces, as "memory cache" does with "memory"."""
        node: _Node | None = self._tries[progress.sentence]
        for piece in pieces:
            node = node.children.get(piece) if node is not None else None
        return node is not None

    def _rendered(self, progress: Progress, node: _Node, seen: frozenset[int]) -> frozenset[int]:
        """The places that count as rendered by what ends here: one of each term, first what is looked at."""
        places = self._places(progress)
        found = set()
        for term in node.terms:
            left = [
                number
                for number, place in enumerate(places)
                if place.term == term and number not in progress.met
            ]
            found.update(
                sorted(left, key=lambda number: (number not in seen, number not in progress.looked))[:1]
            )
        return frozenset(found)


def _by_last_but_one(sequences: Iterable[tuple[int, ...]]) -> dict[int | None, list[tuple[int, ...]]]:
    """Piece sequences by their last piece but one; those of one piece under None."""
    found: dict[int | None, list[tuple[int, ...]]] = {}
    for pieces in sequences:
        if pieces:
            found.setdefault(pieces[-2] if len(pieces) > 1 else None, []).append(pieces)
    return found


def _trie(forms: Sequence[Sequence[Sequence[int]]]) -> _Node:
    root = _Node()
    for term, sequences in enumerate(forms):
        for pieces in sequences:
            node = root
            for piece in pieces:
                node = node.children.setdefault(piece, _Node())
                node.below.add(term)
            if pieces:
                node.terms.add(term)
    return root
