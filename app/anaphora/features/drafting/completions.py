"""Completions of typed text, and alternative drafts: requests to the engine, and checks of the answers."""

from __future__ import annotations

import unicodedata
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

import regex

from anaphora.core.tags import MARK
from anaphora.core.text import NEXT_WORD, has_han
from anaphora.engine.jobs import EngineContext, Receiver, Request, Urgency
from anaphora_nmt.types import Completion, Suggestion, WhatIf
from anaphora_text.punctuation import CLOSING, SENTENCE_ENDS, WIDE_SENTENCE_ENDS, one_of
from anaphora_text.word_forms import content_words, stems

MIN_LENGTH_RATIO = 0.4
"""Minimum length of the shorter of a draft and its alternative, as a share of the longer one's length."""
MIN_LENGTH = 12
"""The lengths are compared only if the longer text has at least this number of characters."""
_CONTROL_CHARACTER = regex.compile(r"[\ufffd\p{Cc}--\s]", regex.V1)
_DIGITS = regex.compile(r"\d+")
_NAME = regex.compile(r"[A-Za-z][\w.+#-]*[A-Za-z0-9]")
_REPEATED_MARKS = regex.compile(r"([\p{P}\p{S}])\1+")
_LETTER = regex.compile(r"\p{L}")
_REPEATED = regex.compile(
    r"(?<![\w'’-])(\p{L}[\w'’-]*+(?:\s++[\w'’-]++){0,5})\s+\1\b"
    r"|(?<![\w'’-])(\p{L}[\w'’-]*+(?:\s++[\w'’-]++){2,5}),?\s+(?:and|or)\s+\2\b",
    regex.IGNORECASE,
)
_CONTRACTED_NOT = regex.compile(r"\b(?:cannot|(?:can|won|shan)['’]t)\b|n['’]t\b", regex.IGNORECASE)
_WORD = regex.compile(r"[^\W_]+")
_CONTRACTION = regex.compile(r"['’](?:s|re|ll|m|ve|d)\b", regex.IGNORECASE)
_NEGATIONS = ("no", "not")
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))


def is_junk(source: str, text: str, draft: str) -> bool:
    """True if an alternative has a fault, such as a wrong number, that the draft does not have.

    `draft` is the model's best text. If `text` is the best text, `draft` is empty: only the source counts.
    """
    if (
        not text.strip()
        or _CONTROL_CHARACTER.search(text)
        or (_LETTER.search(draft or source) and not _LETTER.search(text))
    ):
        return True
    plain = unicodedata.normalize("NFKC", source)
    if _has_wrong_number(plain, text, draft) or _has_new_match(_REPEATED_MARKS, text, f"{plain} {draft}"):
        return True
    return bool(draft) and (
        _loses_a_name(plain, text, draft)
        or _has_new_match(_REPEATED, text, draft)
        or _count_unpaired(text) > _count_unpaired(draft)
        or _has_other_length(text, draft)
        or (has_han(text) and not has_han(draft))
    )


def _has_wrong_number(source: str, text: str, draft: str) -> bool:
    """True if a text has a wrong number or lacks one. Only numbers of several digits count."""
    numbers = {number for number in _DIGITS.findall(text) if len(number) > 1}
    known = _DIGITS.findall(source)
    # A draft may write a date or an amount differently from the source: 1.5万 is 15,000.
    if numbers and known and not numbers <= {*known, *_DIGITS.findall(draft)}:
        return True
    copied = Counter(known) & Counter(_DIGITS.findall(draft))
    return any(len(number) > 1 for number in copied - Counter(_DIGITS.findall(text)))


def _loses_a_name(source: str, text: str, draft: str) -> bool:
    copied = {name.casefold() for name in _NAME.findall(source) if name.casefold() in draft.casefold()}
    return any(name not in text.casefold() for name in copied)


def _has_new_match(pattern: regex.Pattern[str], text: str, known: str) -> bool:
    return any(
        match.group() not in known for match in pattern.finditer(text) if match.group() not in ("..", "...")
    )


def _count_unpaired(text: str) -> int:
    return sum(abs(text.count(opening) - text.count(closing)) for opening, closing in _BRACKETS)


def _has_other_length(text: str, draft: str) -> bool:
    shorter, longer = sorted((len(text.strip()), len(draft.strip())))
    return longer >= MIN_LENGTH and shorter < MIN_LENGTH_RATIO * longer


def differs_in_words(text: str, known: Iterable[str]) -> bool:
    """True if a text differs from each known text in a content word or in the order of content words.

    The words "no" and "not" count as content words. Inflection, punctuation, case and tags do not matter. A
    text without content words is compared by all its words.
    """
    words = _meaningful_words(text)
    return not any(_are_forms(words, _meaningful_words(other)) for other in known)


def _meaningful_words(text: str) -> tuple[str, ...]:
    plain = _CONTRACTION.sub("", _CONTRACTED_NOT.sub(" not", MARK.sub(" ", text))).lower()
    words = _WORD.findall(plain)
    return tuple(word for word in words if word in _NEGATIONS or content_words(word)) or tuple(words)


def _are_forms(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    return len(words) == len(others) and all(
        word == other or stems(word) & stems(other) for word, other in zip(words, others, strict=True)
    )


MAX_DELETIONS = 8
MIN_WORDS_LEFT = 4
"""If fewer words of an unfinished completion are left, a new one is requested."""
MIN_TYPED_LETTERS = 3
"""A deleted text may be offered again after the user has typed this many letters or digits of it."""
_CLOSERS = one_of(CLOSING + "*_`~")
_ENDS, _WIDE_ENDS = one_of(SENTENCE_ENDS + "…‽"), one_of(WIDE_SENTENCE_ENDS + "｡…")
_FINISHED_TEXT = regex.compile(rf"(?:{_ENDS}|{_WIDE_ENDS}){_CLOSERS}*\s*(?:\{{/?[0-9]+/?\}}\s*)*$")
_SENTENCE_END = regex.compile(rf"{_ENDS}{_CLOSERS}*(?=\s|\{{|$)|{_WIDE_ENDS}+{_CLOSERS}*")
_CODE_MARKS = regex.compile(r"[\[\]{}<>|\\^~`#@$=_*]|([\p{P}\p{S}])\1+")
"""Characters of code, and repeated marks. They are junk unless the source or the typed text has them."""
_USUAL_REPETITIONS = frozenset(("...", "--"))
_REPETITION = regex.compile(
    r"(?|\b(\p{L}[\w'’-]{0,40}+(?:\s++[\w'’-]{1,40}+){0,5}),?\s+\1\b|\b(\d++)(?:,?\s++\1\b){2})",
    regex.IGNORECASE,
)
"""Words that occur twice in succession, or a number that occurs three times."""
_MAX_CHECKED_LENGTH = 500
"""Maximum number of characters before the caret that are searched for repetitions."""
_LETTERS = regex.compile(r"[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*")
_ABBREVIATION = regex.compile(
    r"(?:^|[\s(])(?:0|e\.g|i\.e|cf|vs|Mr|Mrs|Ms|Dr|St|No|Fig|Sec|Ch|Art|vol|pp?|approx)\.\s*$"
)
_INITIAL = regex.compile(r"(?:^|[\s(])(?:\p{Lu}|etc|[0-9]+)\.\s*$")
"""A full stop after a capital, a number or "etc" ("…to Party A.") ends a sentence only in a long text."""


def is_finished(source: str, target: str) -> bool:
    """True if a translation has as many sentences as its source, or more, and ends with a complete one."""
    text = target.rstrip()
    if not _FINISHED_TEXT.search(text) or _ABBREVIATION.search(text):
        return False
    if _INITIAL.search(text) and len(text) < len(source) * (1.5 if has_han(source) else 0.7):
        return False
    return len(_SENTENCE_END.findall(text)) >= max(len(_SENTENCE_END.findall(source.rstrip())), 1)


def without_faults(
    source: str, typed: str, found: Completion, invented: Callable[[str], Collection[str]]
) -> Completion:
    """A completion cut after the finished translation, or before junk, a repetition or an invented word.

    A cut completion counts as complete. `invented` finds the invented words of a text.
    """
    text = without_junk(source, typed, found.text)
    ends = (end.end() for end in _SENTENCE_END.finditer(text))
    text = text[: next((end for end in ends if is_finished(source, typed + text[:end])), None)]
    repetitions = _REPETITION.finditer(typed + text, max(0, len(typed) - _MAX_CHECKED_LENGTH))
    new = (each for each in repetitions if each.end() > len(typed))
    if (repetition := next(new, None)) is not None:
        text = text[: max(0, repetition.end(1) - len(typed))]
    text = without_inventions(typed, text, found.ended or text != found.text, invented)
    return Completion(text, found.ended or text != found.text)


def without_junk(source: str, typed: str, completion: str) -> str:
    """A completion cut before the first word with characters of code or repeated marks, see `_CODE_MARKS`."""
    known = unicodedata.normalize("NFKC", source) + typed
    for mark in _CODE_MARKS.finditer(completion):
        if mark.group() == "..":  # "Ltd." and a full stop
            return completion[: mark.start() + 1]
        if mark.group() not in known and mark.group() not in _USUAL_REPETITIONS:
            before = completion[: mark.start()]
            return before[: len(before) - len(before.split(" ")[-1])].rstrip()
    return completion


def without_inventions(
    typed: str, completion: str, ended: bool, invented: Callable[[str], Collection[str]]
) -> str:
    """A completion cut before the first invented word, even if the user has typed the start of the word.

    Args:
        ended: True if the completion is complete; otherwise its last word may be incomplete, and is not cut.
    """
    text = typed + completion
    words = invented(text)
    for word in _LETTERS.finditer(text):
        is_complete = word.end() < len(text) or ended
        if word.end() > len(typed) and is_complete and word.group() in words:
            return text[len(typed) : word.start()].rstrip()
    return completion


@dataclass(frozen=True)
class ExpectedText:
    """A text that the user will probably type; `ended` is True if the text is complete."""

    text: str = ""
    ended: bool = False

    def rest(self, typed: str) -> str:
        return self.text[len(typed) :] if self.text.startswith(typed) else ""

    def is_short(self, typed: str) -> bool:
        """True if `typed` differs from this text, or if few words of an incomplete text remain after it."""
        if self.ended:
            return not self.text.startswith(typed)
        return len(self.rest(typed).split()) < MIN_WORDS_LEFT


class DeletedTexts:
    """The texts that the user has recently deleted from the end of a target; they are not offered again."""

    def __init__(self) -> None:
        self._deletions: deque[tuple[str, str]] = deque(maxlen=MAX_DELETIONS)

    def note(self, before: str, after: str) -> None:
        """Store the change of a target if it is a deletion at the end."""
        # Ignore an emptied field, and a letter typed over the whole selected text.
        if not before.startswith(after) or before == after or len(after) < 2:
            return
        full_text = before
        if self._deletions and self._deletions[-1][1] == before:
            full_text, _ = self._deletions.pop()
        self._deletions.append((full_text, after))

    def is_deleted(self, text: str, completion: str) -> bool:
        """True if a completion after `text` begins with a word that the user has deleted after `text`."""
        next_word = NEXT_WORD.match(completion)
        return next_word is not None and any(
            _have_same_start(deleted.group().casefold(), next_word.group().casefold())
            for full_text, remainder in self._deletions
            if len(text) < len(full_text) and full_text.startswith(text)
            if sum(char.isalnum() for char in text[len(remainder) :]) < MIN_TYPED_LETTERS
            if (deleted := NEXT_WORD.match(full_text, len(text))) is not None
        )


def _have_same_start(first: str, second: str) -> bool:
    shorter, longer = sorted((first, second), key=len)
    return shorter == longer or (len(shorter.strip()) > 1 and longer.startswith(shorter))


MAX_TOKENS = (5, 16)
"""Maximum numbers of tokens of the model in the first and in the final version of a completion."""


def suggestions(document: str, segment: str, receive: Callable[[Suggestion], None]) -> Request:
    """A request for a segment's translation and its alternatives; it does not change the memory."""

    def run(context: EngineContext, answer: Receiver) -> None:
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
    """A request to continue a translation. `receive` gets a few words, then more if it is unfinished.

    Args:
        typed: the text before the caret.
        invented: finds invented words, before which the text is cut; called in the engine's thread.
    """

    def run(context: EngineContext, answer: Receiver) -> None:
        terms = context.all_terms(document, segment)
        for max_tokens in MAX_TOKENS:
            found = context.translator.complete(
                document, segment, typed, max_tokens, context.options, context.stop, terms
            )
            found = without_faults(source, typed, found, invented)
            answer(found)
            if found.ended:
                return

    return Request(document, Urgency.COMPLETE, run, receive, "completion")
