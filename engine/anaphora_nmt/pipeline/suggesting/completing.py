"""Completion of half-typed translations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import is_

from anaphora_nmt.errors import Cancel
from anaphora_nmt.pipeline.opened.document import OpenDocument
from anaphora_nmt.pipeline.preparing.lines import prepare_target
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_nmt.search.prefix import SPACE, PrefixSearch
from anaphora_nmt.text.protect import restore
from anaphora_nmt.text.tags import strip_tags
from anaphora_nmt.types import Completion, SearchOptions, SourceTerm

_MAX_PIECES = 400
"""Maximum number of pieces of a typed text; longer texts get no proposal."""
_LAST_WORD = re.compile(r"\s*\S*$")
_LAST_SPACE = re.compile(r"\s+\S*$")


class Completer:
    """Completes the text of one segment at a time; further typed letters reuse earlier computations."""

    def __init__(self, drafter: Drafter) -> None:
        self._drafter = drafter
        self._request: tuple[object, ...] = ()
        self._inputs: tuple[object, ...] = ()
        self._search: PrefixSearch | None = None
        self._strings: tuple[str, ...] = ()

    def complete(
        self,
        document: OpenDocument,
        index: int,
        typed: str,
        limit: int,
        options: SearchOptions,
        cancel: Cancel | None,
        terms: Sequence[SourceTerm],
    ) -> Completion:
        """Propose at most `limit` pieces after a typed text, whose last word may be incomplete."""
        options = document.effective_options(options)
        memory = document.memory
        request = (index, tuple(terms), options, memory.rules)
        # Contributions are compared by identity.
        inputs = (document, memory.imported, *map(memory.contribution, range(index)))
        is_same = len(inputs) == len(self._inputs) and all(map(is_, inputs, self._inputs))
        if request != self._request or not is_same:
            source = document.source(index)
            snapshot = memory.before(index)
            self._search = None
            if source.ids:
                self._search = self._drafter.prefix_search(source, snapshot, options, terms)
            self._request, self._inputs, self._strings = request, inputs, source.line.strings
        if self._search is None:
            return Completion()
        return self._continue(self._search, typed, limit, cancel)

    def clear_caches(self) -> None:
        self._request, self._inputs, self._search = (), (), None

    def _continue(self, search: PrefixSearch, typed: str, limit: int, cancel: Cancel | None) -> Completion:
        target, strings = self._drafter.target, self._strings
        plain = strip_tags(typed)[0].lstrip()
        cut = self._word_start(plain)
        pieces = prepare_target(plain[:cut], strings, target).ids
        if len(pieces) > _MAX_PIECES:
            return Completion()
        prefix = SPACE if plain[cut:] else ""
        if plain[cut:].strip():
            prefix = "".join(map(search.texts.__getitem__, prepare_target(plain[cut:], strings, target).ids))
        continued = search.extend(pieces, prefix, limit, cancel)
        head = restore(target.decode(pieces), strings)
        full = restore(target.decode([*pieces, *continued.pieces]), strings)
        letters = prefix.replace(SPACE, " ")
        letters = letters if pieces else letters.lstrip()
        rest = full[len(head) :]
        if not continued.pieces or not full.startswith(head) or not rest.startswith(letters):
            return Completion(ended=continued.ended)
        text = rest[len(letters) :]
        if not continued.ended:  # the last word may be incomplete
            last = _LAST_SPACE.search(text)
            text = text[: last.start()] if last else ""
        return Completion(text.rstrip(), continued.ended)

    def _word_start(self, plain: str) -> int:
        """The index at which the last word of a typed text and the spaces before it begin."""
        cut = _LAST_WORD.search(plain)
        start = cut.start() if cut else len(plain)
        for string in self._strings:  # a protected string may contain spaces
            for size in range(len(string) - 1, 0, -1):
                if " " in string[:size] and plain.endswith(string[:size]):
                    before = plain[: len(plain) - size].rstrip()
                    start = min(start, len(before))
                    break
        return start
