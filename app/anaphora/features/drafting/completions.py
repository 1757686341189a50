"""Completions and alternative drafts: their checks, and the requests to the engine for them."""

from __future__ import annotations

import unicodedata
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

import regex

from anaphora.core.tags import MARK
from anaphora.core.text import NEXT_WORD, has_han
from anaphora.engine.jobs import Answer, EngineContext, Request, Urgency
from anaphora_nmt.types import Completion, Suggestion, WhatIf
from anaphora_text.punctuation import CLOSING, SENTENCE_ENDS, WIDE_SENTENCE_ENDS, one_of
from anaphora_text.word_forms import content_words, stems

MIN_LENGTH_RATIO = 0.4
"""Minimum ratio of the lengths of an alternative and the draft, the shorter to the longer."""
MIN_LENGTH = 12
"""The lengths are compared only if the longer text has at least this many characters."""
_BROKEN = regex.compile(r"[\ufffd\p{Cc}--\s]", regex.V1)
_NUMBER = regex.compile(r"\d+")
_NAME = regex.compile(r"[A-Za-z][\w.+#-]*[A-Za-z0-9]")
_RUN = regex.compile(r"([\p{P}\p{S}])\1+")
_LETTER = regex.compile(r"\p{L}")
_REPEATED = regex.compile(
    r"(?<![\w'’-])(\p{L}[\w'’-]*+(?:\s++[\w'’-]++){0,5})\s+\1\b"
    r"|(?<![\w'’-])(\p{L}[\w'’-]*+(?:\s++[\w'’-]++){2,5}),?\s+(?:and|or)\s+\2\b",
    regex.IGNORECASE,
)
_NOT = regex.compile(r"\b(?:cannot|(?:can|won|shan)['’]t)\b|n['’]t\b", regex.IGNORECASE)
_WORD = regex.compile(r"[^\W_]+")
_SHORTENED = regex.compile(r"['’](?:s|re|ll|m|ve|d)\b", regex.IGNORECASE)
_NEGATIONS = ("no", "not")
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))


def is_junk(source: str, text: str, draft: str) -> bool:
    """True if an alternative has faults that the draft does not have.

    Faults are invented or lost numbers, lost names, repeated marks and words, unpaired brackets, a very
    different length and new Chinese characters. Marks, numbers and names are also compared with the source.

    Args:
        draft: the model's best text; empty if `text` is the best text.
    """
    if (
        not text.strip()
        or _BROKEN.search(text)
        or (_LETTER.search(draft or source) and not _LETTER.search(text))
    ):
        return True
    plain = unicodedata.normalize("NFKC", source)
    if _invents_a_number(plain, text, draft) or _has_new(_RUN, text, f"{plain} {draft}"):
        return True
    return bool(draft) and (
        _loses_a_name(plain, text, draft)
        or _has_new(_REPEATED, text, draft)
        or _opens_without_closing(text) > _opens_without_closing(draft)
        or _is_of_another_length(text, draft)
        or (has_han(text) and not has_han(draft))
    )


def _invents_a_number(source: str, text: str, draft: str) -> bool:
    """True if a number of several digits is new, or one that the draft copied from the source is lost."""
    numbers = {found for found in _NUMBER.findall(text) if len(found) > 1}
    known = _NUMBER.findall(source)
    # A date or an amount may be written differently: 1.5万 is 15,000.
    if numbers and known and not numbers <= {*known, *_NUMBER.findall(draft)}:
        return True
    copied = Counter(known) & Counter(_NUMBER.findall(draft))
    return any(len(number) > 1 for number in copied - Counter(_NUMBER.findall(text)))


def _loses_a_name(source: str, text: str, draft: str) -> bool:
    copied = {name.casefold() for name in _NAME.findall(source) if name.casefold() in draft.casefold()}
    return any(name not in text.casefold() for name in copied)


def _has_new(pattern: regex.Pattern[str], text: str, known: str) -> bool:
    return any(
        found.group() not in known for found in pattern.finditer(text) if found.group() not in ("..", "...")
    )


def _opens_without_closing(text: str) -> int:
    return sum(abs(text.count(opening) - text.count(closing)) for opening, closing in _BRACKETS)


def _is_of_another_length(text: str, draft: str) -> bool:
    shorter, longer = sorted((len(text.strip()), len(draft.strip())))
    return longer >= MIN_LENGTH and shorter < MIN_LENGTH_RATIO * longer


def differs_in_words(text: str, known: Iterable[str]) -> bool:
    """True if a text differs from each known text in a content word or in the order of content words.

    Function words except "not", inflection, punctuation, case and tags do not count. A text without
    content words is compared by all its words.
    """
    words = _meaningful_words(text)
    return not any(_are_forms(words, _meaningful_words(other)) for other in known)


def _meaningful_words(text: str) -> tuple[str, ...]:
    plain = _SHORTENED.sub("", _NOT.sub(" not", MARK.sub(" ", text))).lower()
    words = _WORD.findall(plain)
    return tuple(word for word in words if word in _NEGATIONS or content_words(word)) or tuple(words)


def _are_forms(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """True if the words are pairwise equal or forms of the same word."""
    return len(words) == len(others) and all(
        word == other or stems(word) & stems(other) for word, other in zip(words, others, strict=True)
    )


MAX_DELETIONS = 8
FEW_WORDS = 4
"""The engine is asked to continue an unfinished completion with fewer words left."""
TYPED_ANYWAY = 3
"""A deleted text is offered again after this many typed letters agree with it."""
_CLOSERS = one_of(CLOSING + "*_`~")
_ENDS, _WIDE_ENDS = one_of(SENTENCE_ENDS + "…‽"), one_of(WIDE_SENTENCE_ENDS + "｡…")
_ENDED = regex.compile(rf"(?:{_ENDS}|{_WIDE_ENDS}){_CLOSERS}*\s*(?:\{{/?[0-9]+/?\}}\s*)*$")
_END = regex.compile(rf"{_ENDS}{_CLOSERS}*(?=\s|\{{|$)|{_WIDE_ENDS}+{_CLOSERS}*")
_ODD = regex.compile(r"[\[\]{}<>|\\^~`#@$=_*]|([\p{P}\p{S}])\1+")
"""Characters of code, and repeated marks: junk unless the source or the typed text contains them."""
_DOTS = frozenset(("...", "--"))
_TWICE = regex.compile(
    r"(?|\b(\p{L}[\w'’-]{0,40}+(?:\s++[\w'’-]{1,40}+){0,5}),?\s+\1\b|\b(\d++)(?:,?\s++\1\b){2})",
    regex.IGNORECASE,
)
"""Words twice in succession, or a number three times."""
_NEAR = 500
"""Number of characters before the caret that are searched for repetitions."""
_LETTERS = regex.compile(r"[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*")
_ABBREVIATION = regex.compile(
    r"(?:^|[\s(])(?:0|e\.g|i\.e|cf|vs|Mr|Mrs|Ms|Dr|St|No|Fig|Sec|Ch|Art|vol|pp?|approx)\.\s*$"
)
_INITIAL = regex.compile(r"(?:^|[\s(])(?:\p{Lu}|etc|[0-9]+)\.\s*$")
"""A capital, a number or "etc." may also end a sentence ("…to Party A.") if the text is long enough."""


def is_finished(source: str, target: str) -> bool:
    """True if a translation has as many sentences as its source and ends with a complete one."""
    text = target.rstrip()
    if not _ENDED.search(text) or _ABBREVIATION.search(text):
        return False
    if _INITIAL.search(text) and len(text) < len(source) * (1.5 if has_han(source) else 0.7):
        return False
    return len(_END.findall(text)) >= max(len(_END.findall(source.rstrip())), 1)


def without_faults(
    source: str, typed: str, found: Completion, invented: Callable[[str], Collection[str]]
) -> Completion:
    """A completion cut at the end of the sentence, or before junk, a repetition or an invented word."""
    text = without_junk(source, typed, found.text)
    ends = (end.end() for end in _END.finditer(text))
    text = text[: next((end for end in ends if is_finished(source, typed + text[:end])), None)]
    repetitions = _TWICE.finditer(typed + text, max(0, len(typed) - _NEAR))
    new = (each for each in repetitions if each.end() > len(typed))
    if (again := next(new, None)) is not None:
        text = text[: max(0, again.end(1) - len(typed))]
    text = without_inventions(typed, text, found.ended or text != found.text, invented)
    return Completion(text, found.ended or text != found.text)


def without_junk(source: str, typed: str, completion: str) -> str:
    """A completion cut before the first word with marks that are in neither source nor typed text."""
    known = unicodedata.normalize("NFKC", source) + typed
    for odd in _ODD.finditer(completion):
        if odd.group() == "..":  # "Ltd." and a full stop
            return completion[: odd.start() + 1]
        if odd.group() not in known and odd.group() not in _DOTS:
            before = completion[: odd.start()]
            return before[: len(before) - len(before.split(" ")[-1])].rstrip()
    return completion


def without_inventions(
    typed: str, completion: str, ended: bool, invented: Callable[[str], Collection[str]]
) -> str:
    """A completion cut before the first unknown word, which may begin with typed letters (river·sary).

    Args:
        ended: True if the completion is complete; otherwise its last word may be incomplete.
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
    """A text that the user is expected to type; `ended` if it is complete."""

    text: str = ""
    ended: bool = False

    def rest(self, typed: str) -> str:
        return self.text[len(typed) :] if self.text.startswith(typed) else ""

    def is_short(self, typed: str) -> bool:
        """True if the engine should be asked for a longer or another text."""
        if self.ended:
            return not self.text.startswith(typed)
        return len(self.rest(typed).split()) < FEW_WORDS


class Deleted:
    """Text recently deleted from the end, which is not offered again."""

    def __init__(self) -> None:
        self._recent: deque[tuple[str, str]] = deque(maxlen=MAX_DELETIONS)

    def follow(self, before: str, after: str) -> None:
        # Ignore an emptied field, and a letter typed over the whole selected text.
        if not before.startswith(after) or before == after or len(after) < 2:
            return
        whole = before
        if self._recent and self._recent[-1][1] == before:
            # Merge consecutive deletions into one.
            whole, _ = self._recent.pop()
        self._recent.append((whole, after))

    def is_back(self, text: str, completion: str) -> bool:
        """True if a completion begins with a word that was deleted after this text."""
        new = NEXT_WORD.match(completion)
        return new is not None and any(
            _begins_alike(deleted.group().casefold(), new.group().casefold())
            for whole, left in self._recent
            if len(text) < len(whole) and whole.startswith(text)
            if sum(char.isalnum() for char in text[len(left) :]) < TYPED_ANYWAY
            if (deleted := NEXT_WORD.match(whole, len(text))) is not None
        )


def _begins_alike(first: str, second: str) -> bool:
    shorter, longer = sorted((first, second), key=len)
    return shorter == longer or (len(shorter.strip()) > 1 and longer.startswith(shorter))


MAX_TOKENS = (5, 16)
"""Maximum number of tokens in the first and in the final version of a completion."""


def suggestions(document: str, segment: str, receive: Callable[[Suggestion], None]) -> Request:
    """Several translations of a segment with the current memory, without changing it."""

    def run(context: EngineContext, answer: Answer) -> None:
        options = replace(context.options, n_best=context.options.beam_size)
        terms = {segment: context.terms(segment)}
        answer(context.translator.preview(document, (segment,), WhatIf(), options, context.stop, terms)[0])

    return Request(document, Urgency.SUGGEST, run, receive, "suggestions")


def completion(
    document: str,
    segment: str,
    source: str,
    typed: str,
    receive: Callable[[Completion], None],
    invented: Callable[[str], Collection[str]] = lambda _: (),
) -> Request:
    """The continuation of a translation: first a few words, then more.

    The engine reuses the steps of the first version for the second.

    Args:
        typed: the text before the caret.
        invented: finds invented words, before which the text is cut; called in the engine's thread.
    """

    def run(context: EngineContext, answer: Answer) -> None:
        terms = context.all_terms(document, segment)
        for most in MAX_TOKENS:
            found = context.translator.complete(
                document, segment, typed, most, context.options, context.stop, terms
            )
            found = without_faults(source, typed, found, invented)
            answer(found)
            if found.ended:
                return

    return Request(document, Urgency.COMPLETE, run, receive, "completion")
