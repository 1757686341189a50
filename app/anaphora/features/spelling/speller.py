"""Finds misspelt and invented words, and suggestions for them. Does not use Qt."""

from __future__ import annotations

import gzip
import io
import re
import threading
import zlib
from collections.abc import Callable, Container, Iterable, Iterator
from enum import Enum
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora.core.errors import AnaphoraError, ExportError, Message
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.system.files import locked_file, write_atomically

if TYPE_CHECKING:
    from spylls.hunspell import Dictionary

MAX_SUGGESTIONS = 5
_MIN_LETTERS = 4
"""Minimum number of letters of an invented word; shorter unknown words are mostly abbreviations."""
_MIN_COMPOUND_PART = 3
"""Minimum number of letters of each of the two words in a compound."""
_NON_SPACES = re.compile(r"\S+")
_CODE = re.compile(r"`[^`]*`")
_CODE_LIKE = re.compile(r"[0-9_@/\\#=<>$%&*|~^+]|\w\.\w|::|\(\)")
_LATIN = r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]+"
_WORD = re.compile(rf"{_LATIN}(?:['’]{_LATIN})*")


class English(Enum):
    """The accepted spellings of English; the values are names of dictionary files."""

    BOTH = "en_US en_GB"
    AMERICAN = "en_US"
    BRITISH = "en_GB"


class SpellingError(AnaphoraError):
    """A dictionary cannot be used."""


def dictionaries_of(language: str, chosen: English = English.BOTH) -> tuple[str, ...]:
    """Names of the English dictionaries, none for other languages. A region code overrides `chosen`."""
    name, *region = re.split("[-_]", language.lower())
    if name not in ("en", "eng"):
        return ()
    spelling = {"us": English.AMERICAN, "gb": English.BRITISH}.get("".join(region), chosen)
    return tuple(spelling.value.split())


def read_hunspell(path: Path) -> Dictionary:
    """Read the dictionary in `path`.aff and `path`.dic. Raises OSError or ValueError if it is damaged."""
    # Imported on first use, because it slows down the start.
    from spylls.hunspell import Dictionary
    from spylls.hunspell.readers import read_aff, read_dic
    from spylls.hunspell.readers.file_reader import FileReader

    class ClosedReader(FileReader):
        """Reads and closes a file; the library's own reader leaves it open."""

        def _open(self, path: str, encoding: str) -> io.StringIO:
            return io.StringIO(Path(path).read_bytes().decode(encoding, "surrogateescape"), newline=None)

    aff, context = read_aff(ClosedReader(f"{path}.aff"))
    return Dictionary(aff, read_dic(ClosedReader(f"{path}.dic", context.encoding), aff=aff, context=context))


class Speller:
    """Checks words with the user's words and Hunspell dictionaries, loaded on first use. For any thread."""

    def __init__(self, folder: Path, own: Path, used: Path | None = None) -> None:
        """Reads dictionaries in `folder`, the user's words in `own`, and words of real texts in `used`."""
        self._folder = folder
        self._own = own
        self._used_file = used
        self._used: frozenset[str] | None = None
        self._lock = threading.Lock()
        self._loaded: dict[str, Dictionary] = {}
        self._words: frozenset[str] | None = None
        self._known: dict[tuple[str, ...], dict[str, bool]] = {}

    def misspelt(
        self, names: tuple[str, ...], text: str, *known: Container[str]
    ) -> tuple[tuple[int, int], ...]:
        """Positions of misspelt words. `known` has correct words in lower case. Raises: SpellingError."""
        with self._lock:
            self._load(names)
            return tuple(
                (start, end)
                for start, end in word_spans(text)
                if not any(text[start:end].casefold() in each for each in known)
                and not self._knows(names, text[start:end])
            )

    def invented(self, names: tuple[str, ...], text: str, *known: Container[str]) -> tuple[str, ...]:
        """Misspelt lower-case words of at least `_MIN_LETTERS` letters that do not occur in real texts."""
        words = dict.fromkeys(text[start:end] for start, end in self.misspelt(names, text, *known))
        candidates = [word for word in words if word.islower() and len(word) >= _MIN_LETTERS]
        if not candidates:
            return ()
        with self._lock:
            used = self._read_used()
        return tuple(word for word in candidates if word not in used)

    def suggestions(self, names: tuple[str, ...], word: str) -> tuple[str, ...]:
        """At most `MAX_SUGGESTIONS` suggestions, the likeliest first; this takes 0.2 seconds."""
        with self._lock:
            self._load(names)
        # The look-up runs without the lock, so that checks do not wait for it.
        texts = zip_longest(
            *(islice(self._loaded[name].suggest(_plain(word)), MAX_SUGGESTIONS) for name in names)
        )
        return tuple(dict.fromkeys(text for text in chain.from_iterable(texts) if text))[:MAX_SUGGESTIONS]

    def add(self, word: str) -> None:
        """Add a word to the user's words. Raises SpellingError if the file cannot be written."""
        with self._lock:
            try:
                with locked_file(self._own):
                    words = sorted({*self._read_own(), _plain(word)}, key=str.casefold)
                    write_atomically("".join(f"{each}\n" for each in words).encode(), self._own)
            except (OSError, ExportError) as error:
                raise SpellingError(
                    Message("The word “{word}” could not be saved: {error}.", word=word, error=error),
                    Message("Your personal dictionary is stored in {path}.", path=self._own),
                ) from error
            self._words = frozenset(each.casefold() for each in words)

    def _load(self, names: tuple[str, ...]) -> None:
        if self._words is None:
            self._words = frozenset(word.casefold() for word in self._read_own())
        for name in {*names, *dictionaries_of("en")} - self._loaded.keys():
            try:
                self._loaded[name] = read_hunspell(self._folder / name)
            except (OSError, ValueError) as error:
                raise SpellingError(
                    Message("The dictionary “{name}” cannot be read: {error}.", name=name, error=error),
                    "Install Anaphora again.",
                ) from error

    def _read_used(self) -> frozenset[str]:
        if self._used is None:
            path, words = self._used_file, ""
            try:
                if path is not None and path.exists():
                    words = gzip.decompress(path.read_bytes()).decode("utf-8")
            except (OSError, EOFError, ValueError, zlib.error) as error:
                raise SpellingError(
                    Message("The dictionary “{name}” cannot be read: {error}.", name=path, error=error),
                    "Install Anaphora again.",
                ) from error
            self._used = frozenset(words.split())
        return self._used

    def _read_own(self) -> Iterator[str]:
        try:
            lines = self._own.read_text("utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return
        except OSError as error:
            raise SpellingError(
                Message("The dictionary “{name}” cannot be read: {error}.", name=self._own, error=error)
            ) from error
        yield from (word for line in lines if (word := line.strip()))

    def _knows(self, names: tuple[str, ...], word: str) -> bool:
        """True if a word is correct. False for a word that only another spelling of English accepts."""
        if not {word.casefold(), _plain(word).casefold().removesuffix("'s")}.isdisjoint(self._words or ()):
            return True
        known = self._known.setdefault(names, {})
        if word not in known:
            plain = _plain(word).removesuffix("'s")
            hits = {name for name, each in self._loaded.items() if each.lookup(plain)}
            known[word] = bool(hits & {*names}) if hits else self._is_compound(names[0], plain.casefold())
        return known[word]

    def _is_compound(self, name: str, word: str) -> bool:
        """True if a word occurs in real texts and consists of two dictionary words, such as dataset."""
        if len(word) < 2 * _MIN_COMPOUND_PART or word not in self._read_used():
            return False
        known, last_cut = self._loaded[name].lookup, len(word) - _MIN_COMPOUND_PART
        return any(known(word[:cut]) and known(word[cut:]) for cut in range(_MIN_COMPOUND_PART, last_cut + 1))


def inventions_by(
    speller: Speller, names: tuple[str, ...], known: Container[str]
) -> Callable[[Segment], tuple[str, ...]] | None:
    """A function that finds invented words in a target; `known` has correct words in lower case."""
    if not names:
        return None
    return lambda each: speller.invented(names, each.target, known, words_of([each.source]))


def words_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(match.group().casefold() for text in texts for match in _WORD.finditer(text))


def _plain(word: str) -> str:
    return word.replace("’", "'")


def word_spans(text: str) -> Iterator[tuple[int, int]]:
    """Positions of the words to check; not tags, code, addresses, single letters or words like “eMail”."""
    hidden = [match.span() for pattern in (MARK, _CODE) for match in pattern.finditer(text)]
    for start, end in sorted(hidden, reverse=True):
        text = text[:start] + " " * (end - start) + text[end:]
    for token in _NON_SPACES.finditer(text):
        core = token.group().strip(".,;:!?()[]{}<>\"'“”‘’*…")
        if _CODE_LIKE.search(core):
            continue
        for match in _WORD.finditer(token.group()):
            word = match.group()
            is_name_of_code = not (word.islower() or word.istitle() or word[1:].islower())
            if len(word) > 1 and not is_name_of_code:
                yield token.start() + match.start(), token.start() + match.end()
