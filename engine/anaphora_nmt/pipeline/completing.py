"""How a translation that is being typed goes on."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anaphora_nmt.memory.contents import Contribution
from anaphora_nmt.pipeline.document import OpenDocument
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.lines import prepare_target
from anaphora_nmt.search.prefix import SPACE, PrefixSearch
from anaphora_nmt.steering import MemoryRule
from anaphora_nmt.text.protect import restore
from anaphora_nmt.text.tags import strip_tags
from anaphora_nmt.types import Completion, SearchOptions, SourceTerm

_LONGEST = 400
"""Pieces of a typed text; behind a longer one nothing is proposed."""
_LAST_WORD = re.compile(r"\s*\S*$")
_LAST_SPACE = re.compile(r"\s+\S*$")


@dataclass(frozen=True)
class _Asked:
    """What a search was begun for, with what its answers depend on."""

    document: OpenDocument
    index: int
    terms: tuple[SourceTerm, ...]
    options: SearchOptions
    rules: tuple[MemoryRule, ...]
    before: tuple[Contribution | None, ...]
    imported: tuple[tuple[str, Contribution], ...]

    @classmethod
    def of(
        cls, document: OpenDocument, index: int, terms: Sequence[SourceTerm], options: SearchOptions
    ) -> _Asked:
        memory = document.memory
        before = tuple(memory.written(number) for number in range(index))
        return cls(document, index, tuple(terms), options, memory.rules, before, memory.imported)

    def same(self, other: _Asked) -> bool:
        """Whether the answers are the same; contributions are compared as objects."""
        return (
            self.document is other.document
            and (self.index, self.terms, self.options, self.rules)
            == (other.index, other.terms, other.options, other.rules)
            and self.imported is other.imported
            and len(self.before) == len(other.before)
            and all(one is two for one, two in zip(self.before, other.before, strict=True))
        )


class Completer:
    """Completes what is typed in one segment at a time; for another letter little is computed anew."""

    def __init__(self, drafter: Drafter) -> None:
        self._drafter = drafter
        self._asked: _Asked | None = None
        self._search: PrefixSearch | None = None
        self._strings: tuple[str, ...] = ()

    def complete(
        self,
        document: OpenDocument,
        index: int,
        typed: str,
        most: int,
        options: SearchOptions,
        cancel: Callable[[], bool] | None,
        terms: Sequence[SourceTerm],
    ) -> Completion:
        """At most `most` pieces that follow the typed text of a segment, whose last word may be half
        typed."""
        options = document.reading(options)
        asked = _Asked.of(document, index, terms, options)
        if self._asked is None or not self._asked.same(asked):
            source = document.source(index)
            snapshot = document.memory.before(index)
            self._search = None
            if source.ids:
                self._search = self._drafter.prefix_search(source, snapshot, options, terms)
            self._asked, self._strings = asked, source.line.strings
        if self._search is None:
            return Completion()
        return self._continued(self._search, typed, most, cancel)

    def forget(self) -> None:
        self._asked = self._search = None

    def _continued(
        self, search: PrefixSearch, typed: str, most: int, cancel: Callable[[], bool] | None
    ) -> Completion:
        target, strings = self._drafter.target, self._strings
        plain = strip_tags(typed)[0].lstrip()
        cut = self._begun_at(plain)
        given = prepare_target(plain[:cut], strings, target).ids
        if len(given) > _LONGEST:
            return Completion()
        begun = SPACE if plain[cut:] else ""
        if plain[cut:].strip():
            begun = "".join(map(search.text, prepare_target(plain[cut:], strings, target).ids))
        found = search.go_on(given, begun, most, cancel)
        head = restore(target.decode(given), strings)
        whole = restore(target.decode([*given, *found.pieces]), strings)
        letters = begun.replace(SPACE, " ")
        letters = letters if given else letters.lstrip()
        rest = whole[len(head) :]
        if not found.pieces or not whole.startswith(head) or not rest.startswith(letters):
            return Completion(ended=found.ended)
        text = rest[len(letters) :]
        if not found.ended:  # the last word may not be all there
            last = _LAST_SPACE.search(text)
            text = text[: last.start()] if last else ""
        return Completion(text.rstrip(), found.ended)

    def _begun_at(self, plain: str) -> int:
        """Where the word begins that is being typed, with the blanks before it."""
        cut = _LAST_WORD.search(plain)
        begin = cut.start() if cut else len(plain)
        for string in self._strings:  # a string that is copied may hold blanks
            for size in range(len(string) - 1, 0, -1):
                if " " in string[:size] and plain.endswith(string[:size]):
                    whole = plain[: len(plain) - size].rstrip()
                    begin = min(begin, len(whole))
                    break
        return begin
