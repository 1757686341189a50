"""Word counts of texts, and limits to the lengths of translations and subtitles."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import regex

from anaphora.core.languages import Language
from anaphora.core.long_work import check_cancelled
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK, labels_of

_UNSPACED = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}"
    r"\p{Script=Myanmar}&&\p{L}]\p{M}*",
    regex.V1,
)
"""One letter of a script that is written without spaces between words, with its combining marks."""
_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[-'’.,:/@_]+[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*")


@dataclass(frozen=True, slots=True)
class WordCount:
    """The numbers of characters and words in a text.

    Attributes:
        characters: letters of scripts without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese).
        words: words and numbers in all other scripts.
    """

    characters: int = 0
    words: int = 0

    def __add__(self, other: WordCount) -> WordCount:
        return WordCount(self.characters + other.characters, self.words + other.words)

    @property
    def total(self) -> int:
        """Characters and words together, as Microsoft Word counts a Chinese text."""
        return self.characters + self.words


def count_words(text: str) -> WordCount:
    """Count the words of a text, without its inline tags. A single tag (`{1/}`) ends a word, but a paired tag
    does not. Raises CancelledError, see `check_cancelled`."""
    check_cancelled()
    plain = MARK.sub(lambda match: " " if match.group().endswith("/}") else "", text)
    rest, characters = _UNSPACED.subn(" ", plain)
    return WordCount(characters, len(_WORD.findall(rest)))


_LIMIT = re.compile(r"(?:\d{1,6}\s*,\s*)?(\d{1,6})(?:\s*(char|character|byte|x-byte)s?)?")
"""A limit in characters or bytes. In XLIFF 2, a minimum may precede the limit. Limits in pixels are not
supported, because the font in which the text will be shown is unknown."""
_LIMIT_IN_COMMENT = re.compile(
    r"(?i)\bmax(?:imum|imal)?\.?(?:[ _-]?len(?:gth)?|[ _-]?width)?\s*(?:of|is|[:=])?\s*(\d{1,4})\s*char"
    r"|\b(?:char(?:acter)?s?[ _-]?(?:limit|max)|length[ _-]?limit|max[ _-]?len(?:gth)?)\s*[:=]?\s*(\d{1,4})\b"
    r"|(?:不超过|最多|不得超过|限)\s*(\d{1,4})\s*(?:个)?(?:字|字符)"
)
_DIGIT = re.compile(r"\d")
"""A fast test before `_LIMIT_IN_COMMENT`, because most comments have no digit."""
_COMMENTS = frozenset((
    NoteKind.COMMENT, NoteKind.NOTE, NoteKind.CONTEXT, NoteKind.TRANSLATOR_COMMENT, NoteKind.FLAGS,
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class LengthLimit:
    """The maximum length of a translation.

    Attributes:
        maximum: number of characters, or of bytes in UTF-8 if `in_bytes`.
    """

    maximum: int
    in_bytes: bool = False

    def length(self, segment: Segment) -> int:
        """The length of a segment's target with its placeholders and without other tags."""
        labels = labels_of(segment)
        text = MARK.sub(lambda match: _placeholder(labels.get(match.group(), "")), segment.target)
        return self._length_of(text)

    def room(self, segment: Segment) -> int:
        """The limit minus the length of the source's placeholders, which the target repeats; at least 1."""
        placeholders = "".join(map(_placeholder, (label for _, label in segment.tags)))
        return max(self.maximum - self._length_of(placeholders), 1)

    def _length_of(self, text: str) -> int:
        return len(text.encode("utf-8", "surrogatepass")) if self.in_bytes else len(text)


def length_limit(segment: Segment) -> LengthLimit | None:
    """The lowest limit in a segment's notes; None if no note has a limit that can be checked."""
    limits = [limit for note in segment.notes if (limit := _limit_of(note)) is not None]
    return min(limits, key=lambda limit: limit.maximum, default=None)


def is_unchecked_limit(note: Note) -> bool:
    """True for a length-limit note whose limit cannot be checked."""
    return note.kind is NoteKind.LENGTH_LIMIT and _limit_of(note) is None


def _limit_of(note: Note) -> LengthLimit | None:
    if note.kind is NoteKind.LENGTH_LIMIT:
        match = _LIMIT.fullmatch(note.text.strip())
        return None if match is None else LengthLimit(int(match[1]), "byte" in (match[2] or ""))
    if note.kind in _COMMENTS and _DIGIT.search(note.text) and (match := _LIMIT_IN_COMMENT.search(note.text)):
        return LengthLimit(int(match[1] or match[2] or match[3]))
    return None


def _placeholder(label: str) -> str:
    """A tag's label if the label is a placeholder, which counts towards the length; "" for markup."""
    return label if label[:1] in ("%", "{", "$") else ""


@dataclass(frozen=True, slots=True)
class SubtitleLimits:
    """Limits of subtitles.

    Attributes:
        speed: maximum number of characters per second.
        line: maximum number of characters per line.
        counts_narrow_as_half: narrow characters, such as Latin letters, count half.
    """

    speed: int
    line: int
    counts_narrow_as_half: bool = False

    def length(self, text: str) -> float:
        """The number of characters in a text; narrow ones may count half."""
        if not self.counts_narrow_as_half:
            return len(text)
        return sum(1.0 if unicodedata.east_asian_width(char) in "WF" else 0.5 for char in text)


_DEFAULT_LIMITS = SubtitleLimits(17, 42)
_LIMITS = {
    "en": SubtitleLimits(20, 42),
    "zh": SubtitleLimits(9, 16, counts_narrow_as_half=True),
    "ja": SubtitleLimits(4, 13, counts_narrow_as_half=True),
    "ko": SubtitleLimits(12, 16, counts_narrow_as_half=True),
}
_BY_LETTERS = (
    (regex.compile(r"[\p{Script=Hiragana}\p{Script=Katakana}]"), "ja"),
    (regex.compile(r"\p{Script=Hangul}"), "ko"),
    (regex.compile(r"\p{Script=Han}"), "zh"),
)


def limits_of(language: Language) -> SubtitleLimits:
    return _LIMITS.get(language.code, _DEFAULT_LIMITS)


def limits_by_letters(text: str) -> SubtitleLimits:
    """The limits for a text in an unknown language. If most characters are wide, the letters decide between
    Japanese, Korean and Chinese. For any other text, the limits are those of English."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    if 2 * wide > len(text):
        return next((_LIMITS[code] for letters, code in _BY_LETTERS if letters.search(text)), _LIMITS["en"])
    return _LIMITS["en"]
