"""Finds all source terms in a text at once (Aho-Corasick), and the words in texts without spaces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import islice

from ahocorasick_rs import AhoCorasick

from anaphora.core.tags import MARK
from anaphora.core.term_entries import TermEntry
from anaphora.core.text import HAN
from anaphora.system.garbage import freezing_batches
from anaphora_text.chinese_words import cut, frequency, word_class
from anaphora_text.han import HANGUL, KANA, THAI, UNSPACED_LETTERS
from anaphora_text.unspaced import is_japanese, japanese_tokens, newmm

UNSPACED = re.compile(f"[{UNSPACED_LETTERS}{HANGUL}]")
"""Letters beside which a word may end without a space; Hangul is included because of Korean particles."""
_KANA, _THAI = re.compile(f"[{KANA}]"), re.compile(f"[{THAI}]")
_JAPANESE_NOUNS = frozenset(("一般", "サ変接続", "固有名詞", "形容動詞語幹", "接尾"))
_SUFFIXES = frozenset("集器者率性化")
"""Characters that change the meaning of the word before them: 迭代·器 is an iterator, 迭代 an iteration."""


def is_unspaced(text: str) -> bool:
    return UNSPACED.search(text) is not None


def is_chinese(text: str) -> bool:
    return HAN.search(text) is not None and not is_japanese(text)


def word_edges(text: str, guess: bool = False) -> dict[int, int]:
    """The end of each Chinese, Japanese or Thai word by its start; in other texts, that of each character.

    Args:
        guess: see `chinese_words`; ignored for other languages.
    """
    if is_chinese(text):
        return _edges(chinese_words(text, guess))
    if _KANA.search(text):
        return _edges((token.surface for token in japanese_tokens(text)), text)
    return _edges(newmm()(text, keep_whitespace=True) if _THAI.search(text) else text, text)


def chinese_words(text: str, guess: bool = True) -> list[str]:
    """A Chinese text cut into words and punctuation; a suffix belongs to its word.

    `guess` also joins characters into probable words that the dictionary lacks.
    """
    words: list[str] = []
    pending: list[str] = []

    def flush() -> None:
        words.extend(cut("".join(pending)) if guess else pending)
        pending.clear()

    for word in cut(text, False):
        if word in _SUFFIXES and pending and len(pending[-1]) > 1 and HAN.match(pending[-1][-1]):
            # Add the suffix before guessing: otherwise a suffix and the next word could be one guessed word.
            stem = pending.pop()
            flush()
            words.append(stem + word)
        else:
            pending.append(word)
    flush()
    return words


def japanese_words(text: str) -> Iterator[tuple[int, str, bool]]:
    """Tuples (start, word, True for a noun that is neither pronoun nor number)."""
    end = 0
    for token in japanese_tokens(text):
        start = text.find(token.surface, end)
        if start < 0:
            continue
        end = start + len(token.surface)
        kind, detail = token.part_of_speech.split(",")[:2]
        yield start, token.surface, kind == "名詞" and detail in _JAPANESE_NOUNS


def _edges(words: Iterable[str], text: str = "") -> dict[int, int]:
    """The end of each word by its start, and of each character of `text` between or after the words."""
    edges: dict[int, int] = {}
    end = 0
    for word in words:
        start = text.find(word, end) if text else end
        if start < 0:
            continue
        edges |= {offset: offset + 1 for offset in range(end, start)}
        edges[start] = end = start + len(word)
    return edges | {offset: offset + 1 for offset in range(end, len(text))}


_BATCH_SIZE = 2000
_LETTER = re.compile(r"\w")
_MODIFIERS = frozenset("本该此各某每小大老新旧经依或及凡")
_FOLLOWERS = frozenset((*"内外前后上中下时满向可应均", "有权"))
"""What often follows a noun, and what jieba therefore joins to it: 工作日内, or 甲·方向 in 甲方向乙方付款."""
_MAX_PHRASE = 10
"""A word in jieba's dictionary up to this frequency may be a phrase (工作日内); 国内外 is more frequent."""
_NUMERALS = frozenset("一二三四五六七八九十百")


@dataclass(frozen=True, slots=True)
class FoundTerm:
    start: int
    end: int
    entries: tuple[TermEntry, ...]


class Recogniser:
    """Finds the terms of entries in texts. Safe to call from any thread.

    The longest of overlapping occurrences counts, or the first of equally long ones. An occurrence inside
    a longer word does not count: 数据 in 数据库, "Tensor" in "TensorFlow". In scripts without spaces,
    `word_edges` finds the words. A Chinese term of one character must be a word with and without `guess`.
    """

    def __init__(self, entries: Iterable[TermEntry]) -> None:
        self._entries: dict[str, tuple[TermEntry, ...]] = {}
        for entry in freezing_batches(entries):
            folded = _folded(entry.source)
            self._entries[folded] = (*self._entries.get(folded, ()), entry)
        self._entries.pop("", None)
        texts = iter(self._entries)
        # The library blocks other threads while it builds an automaton, so each automaton is small.
        self._automata = [AhoCorasick(batch) for batch in iter(lambda: [*islice(texts, _BATCH_SIZE)], [])]
        self._new_entries: dict[str, tuple[TermEntry, ...]] = {}
        self._new_automata: list[AhoCorasick] = []

    def entries_of(self, source: str) -> tuple[TermEntry, ...]:
        """The entries of a term, regardless of case and width."""
        return self._entries_of(_folded(source))

    def _entries_of(self, folded: str) -> tuple[TermEntry, ...]:
        return self._new_entries.get(folded, self._entries.get(folded, ()))

    def with_entry(
        self, entry: TermEntry, old: TermEntry | None, rank: Callable[[TermEntry], tuple[int, int]]
    ) -> Recogniser:
        """A copy in which `entry` replaces `old`, if any; `rank` is the sort key of entries. This is fast."""
        changed = copy(self)
        changed._new_entries = entries = dict(self._new_entries)
        new = _folded(entry.source)
        for folded in {new, *([] if old is None else [_folded(old.source)])}:
            kept = [each for each in self._entries_of(folded) if each is not old]
            entries[folded] = tuple(sorted([*kept, *[entry] * (folded == new)], key=rank))
        changed._new_automata = [AhoCorasick([*entries])]
        return changed

    def find(self, text: str, marks: Collection[str] = ()) -> tuple[FoundTerm, ...]:
        """The terms of a text, in order, without overlaps; tags (`marks`) inside a term are ignored."""
        offsets = _untagged_offsets(text, frozenset(marks))
        plain = "".join(text[offset] for offset in offsets)
        folded = _folded(plain)
        found = {
            (start, end): entries
            for automaton in (*self._automata, *self._new_automata)
            for _, start, end in automaton.find_matches_as_indexes(folded, overlapping=True)
            if (entries := self._entries_of(folded[start:end])) and not _is_within_letters(folded, start, end)
        }
        return tuple(
            FoundTerm(offsets[start], offsets[end - 1] + 1, found[start, end])
            for start, end in sorted(_longest(found, plain))
        )


def _longest(found: Iterable[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Occurrences that do not overlap and are not inside a word, the longest first."""
    words = guessed = None
    kept: list[tuple[int, int]] = []
    for start, end in sorted(found, key=lambda each: (each[0] - each[1], each[0])):
        if any(start < other_end and other_start < end for other_start, other_end in kept):
            continue
        if is_unspaced(text[start:end]):
            words = words if words is not None else word_edges(text)
            if not _is_whole_word(text, start, end, words):
                continue
            if end - start == 1 and is_chinese(text):
                guessed = guessed if guessed is not None else word_edges(text, True)
                if start not in guessed or end not in guessed.values():
                    continue
        kept.append((start, end))
    return kept


def _is_whole_word(text: str, start: int, end: int, words: Mapping[int, int]) -> bool:
    """True if an occurrence is a word, or if the words around it only add something that is no noun.

    jieba's dictionary has phrases such as 本合同 (this contract), 解除合同 (end a contract) and 双方同意
    (both agree). In these, 合同 and 双方 count as words, but 操作 in 操作系统 and 数据 in 数据库 do not.
    jieba also cuts 附件一所列 into 附件·一所·列; a numeral at the end of a term belongs to the term.
    """
    opening = max(edge for edge in words if edge <= start)
    closing = min(edge for edge in words.values() if edge >= end)
    before, after = text[opening:start], text[end:closing]
    return (not before or before in _MODIFIERS or _is_verb(before)) and (
        not after
        or _is_verb(after)
        or (after in _FOLLOWERS and frequency(text[opening:closing]) <= _MAX_PHRASE)
        or (end - 1 in words and text[end - 1] in _NUMERALS and _NUMERALS.isdisjoint(after))
    )


def _is_verb(word: str) -> bool:
    """True if jieba tags a word as a verb or an adverb; it tags 同意 (to agree) as an adverb."""
    return len(word) > 1 and word_class(word) in ("v", "d")


def _is_within_letters(text: str, start: int, end: int) -> bool:
    before = start > 0 and _is_inside_word(text[start - 1], text[start])
    return before or (end < len(text) and _is_inside_word(text[end - 1], text[end]))


def _is_inside_word(before: str, after: str) -> bool:
    return all(_LETTER.match(char) and not UNSPACED.match(char) for char in (before, after))


def _untagged_offsets(text: str, marks: frozenset[str]) -> Sequence[int]:
    if not marks:
        return range(len(text))
    offsets: list[int] = []
    start = 0
    for match in MARK.finditer(text):
        if match.group() in marks:
            offsets += range(start, match.start())
            start = match.end()
    return [*offsets, *range(start, len(text))]


def _folded(text: str) -> str:
    """The text in lower case and normal width, except for characters that would become several."""
    if text.isascii():
        return text.lower()
    return "".join(map(_folded_character, text))


def _folded_character(char: str) -> str:
    folded = unicodedata.normalize("NFKC", char).lower()
    return folded if len(folded) == 1 else char
