"""Completions while a text is typed: the words to show after it, and those to hide."""

from __future__ import annotations

import unicodedata
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass

import regex

from anaphora.core.text import NEXT_WORD, has_han
from anaphora_nmt.types import Completion
from anaphora_text.punctuation import CLOSING, SENTENCE_ENDS, WIDE_SENTENCE_ENDS, one_of

REMEMBERED = 8
"""Most deletions to remember."""
FEW_WORDS = 4
"""If so few words are left of an unfinished completion, the engine is asked for more."""
TYPED_ANYWAY = 3
"""A deleted text is offered again once this many typed letters agree with it."""
_CLOSERS = one_of(CLOSING + "*_`~")
_ENDS, _WIDE_ENDS = one_of(SENTENCE_ENDS + "…‽"), one_of(WIDE_SENTENCE_ENDS + "｡…")
_ENDED = regex.compile(rf"(?:{_ENDS}|{_WIDE_ENDS}){_CLOSERS}*\s*(?:\{{/?[0-9]+/?\}}\s*)*$")
_END = regex.compile(rf"{_ENDS}{_CLOSERS}*(?=\s|\{{|$)|{_WIDE_ENDS}+{_CLOSERS}*")
_ODD = regex.compile(r"[\[\]{}<>|\\^~`#@$=_*]|([\p{P}\p{S}])\1+")
"""Marks of code, and repeated marks: if the source has none, the model continues with junk."""
_DOTS = frozenset(("...", "--"))
_TWICE = regex.compile(
    r"(?|\b(\p{L}[\w'’-]{0,40}+(?:\s++[\w'’-]{1,40}+){0,5}),?\s+\1\b|\b(\d++)(?:,?\s++\1\b){2})",
    regex.IGNORECASE,
)
"""Words twice, or a number three times."""
_NEAR = 500
"""Characters before the caret in which a repetition begins."""
_LETTERS = regex.compile(r"[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*")
_ABBREVIATION = regex.compile(
    r"(?:^|[\s(])(?:0|e\.g|i\.e|cf|vs|Mr|Mrs|Ms|Dr|St|No|Fig|Sec|Ch|Art|vol|pp?|approx)\.\s*$"
)
_INITIAL = regex.compile(r"(?:^|[\s(])(?:\p{Lu}|etc|[0-9]+)\.\s*$")
"""It may be the end, too ("…to Party A."): then the text is as long as its source."""


def is_finished(source: str, target: str) -> bool:
    """True if a translation has as many whole sentences as its source, and ends with one."""
    text = target.rstrip()
    if not _ENDED.search(text) or _ABBREVIATION.search(text):
        return False
    if _INITIAL.search(text) and len(text) < len(source) * (1.5 if has_han(source) else 0.7):
        return False
    return len(_END.findall(text)) >= max(len(_END.findall(source.rstrip())), 1)


def without_faults(
    source: str, typed: str, found: Completion, invented: Callable[[str], Collection[str]]
) -> Completion:
    """A completion up to the end of the sentence, and up to the first junk, repetition or invented word."""
    text = without_junk(source, typed, found.text)
    ends = (end.end() for end in _END.finditer(text))
    text = text[: next((end for end in ends if is_finished(source, typed + text[:end])), None)]
    last = _TWICE.finditer(typed + text, max(0, len(typed) - _NEAR))
    twice = (each for each in last if each.end() > len(typed))
    if (again := next(twice, None)) is not None:
        text = text[: max(0, again.end(1) - len(typed))]
    text = without_inventions(typed, text, found.ended or text != found.text, invented)
    return Completion(text, found.ended or text != found.text)


def without_junk(source: str, typed: str, completion: str) -> str:
    """A completion up to the first word with marks that neither the source nor the typed text has."""
    known = unicodedata.normalize("NFKC", source) + typed
    for odd in _ODD.finditer(completion):
        if odd.group() == "..":  # "Ltd.", and the end
            return completion[: odd.start() + 1]
        if odd.group() not in known and odd.group() not in _DOTS:
            before = completion[: odd.start()]
            return before[: len(before) - len(before.split(" ")[-1])].rstrip()
    return completion


def without_inventions(
    typed: str, completion: str, ended: bool, invented: Callable[[str], Collection[str]]
) -> str:
    """A completion up to the first unknown word, which typed letters may begin (river·sary).

    Args:
        ended: True if the completion is complete; otherwise its last word may be half.
    """
    text = typed + completion
    words = invented(text)
    for word in _LETTERS.finditer(text):
        is_whole = word.end() < len(text) or ended
        if word.end() > len(typed) and is_whole and word.group() in words:
            return text[len(typed) : word.start()].rstrip()
    return completion


@dataclass(frozen=True)
class Expected:
    """A proposed text; typed text that agrees with it shortens what is left. `ended`: there is no more."""

    text: str = ""
    ended: bool = False

    def rest(self, typed: str) -> str:
        return self.text[len(typed) :] if self.text.startswith(typed) else ""

    def is_short(self, typed: str) -> bool:
        """True if the engine should be asked for another text, or for more."""
        if self.ended:
            return not self.text.startswith(typed)
        return len(self.rest(typed).split()) < FEW_WORDS


class Deleted:
    """Text recently deleted from the end, which is not offered again."""

    def __init__(self) -> None:
        self._recent: deque[tuple[str, str]] = deque(maxlen=REMEMBERED)

    def follow(self, before: str, after: str) -> None:
        # An emptied field is begun anew; a single letter is typed text that replaced everything.
        if not before.startswith(after) or before == after or len(after) < 2:
            return
        whole = before
        if self._recent and self._recent[-1][1] == before:
            # Letters that are deleted one by one are one deletion.
            whole, _ = self._recent.pop()
        self._recent.append((whole, after))

    def is_back(self, text: str, completion: str) -> bool:
        """True if a completion begins with a word that was deleted after this text."""
        new = NEXT_WORD.match(completion)
        return new is not None and any(
            _begins_alike(gone.group().casefold(), new.group().casefold())
            for whole, left in self._recent
            if len(text) < len(whole) and whole.startswith(text)
            if sum(char.isalnum() for char in text[len(left) :]) < TYPED_ANYWAY
            if (gone := NEXT_WORD.match(whole, len(text))) is not None
        )


def _begins_alike(first: str, second: str) -> bool:
    shorter, longer = sorted((first, second), key=len)
    return shorter == longer or (len(shorter.strip()) > 1 and longer.startswith(shorter))
