"""What the columns of a table of terms hold, by their names or, where they have none, by their cells.

Names are those of DeepL, Phrase ("en_status"), Crowdin ("Status [en]"), Lokalise ("en_description"), memoQ
("English_Def", "Term_Info") and MultiTerm, and others that consist of the same words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from anaphora.core.language_pair import LanguagePair
from anaphora.core.languages import code_of
from anaphora.core.reading_choices import Columns
from anaphora.formats.base.tables import ROLES, language_named, words_of
from anaphora.formats.bilingual.languages import nearest
from anaphora.formats.terminology.usages import meaning_of, usage_of, words_about
from anaphora.term_base.entries import Entry, TargetTerm, Usage

_SAMPLE = 50
"""Rows by which columns without names are told."""
_OMEGAT = 3
"""Columns of a glossary without names, at the most: term, translation, comment."""
_NO_LANGUAGES = ("id", "no", "is")
_SIDES = ("source", "target")
_ROLES = list(dict.fromkeys(ROLES.values()))


class Column(NamedTuple):
    """A column.

    Attributes:
        role: "term", "usage", "forbidden", "note", "domain", "language"; "" for what is left out.
        side: "source", "target"; "" where the name does not say; "other" for another language.
        language: the column's name where that names a language.
        owner: the number of the term's column that it is about; -1: all of its side.
    """

    at: int
    role: str
    side: str = ""
    language: str = ""
    owner: int = -1


_DEEPL = [Column(at, role, side) for at, (role, side) in enumerate(product(("term", "language"), _SIDES))]
"""Of a glossary of DeepL's, which names the languages in each row."""


def columns_of(
    rows: Sequence[Sequence[str]], pair: LanguagePair, chosen: Columns | None
) -> tuple[list[Column], bool] | None:
    """The columns, and whether the first row names them; None where neither names nor cells are certain.

    Args:
        chosen: those of the term and its translation, where somebody has chosen them.
    """
    if all(len(row) == len(_DEEPL) and all(map(language_named, row[2:])) for row in rows[:_SAMPLE]):
        return _DEEPL, False
    named = _named_columns(rows[0], pair)
    if chosen is not None:
        about = [each for each in named if chosen.has_header and each.role != "term"]
        return [*_terms((*chosen.sources, *chosen.targets)), *about], chosen.has_header
    sides = {column.side: column.language for column in named if column.role == "term"}
    if len(sides.keys() & {*_SIDES, ""}) > 1 and ("target" in sides or any(sides.values())):
        return named, True
    guessed = _guessed_columns(rows[:_SAMPLE], pair)
    return (guessed, False) if guessed else None


def _terms(places: Iterable[int]) -> list[Column]:
    """The columns of the term and of its translation."""
    return [Column(at, "term", side) for at, side in zip(places, _SIDES, strict=True)]


def _named_columns(header: Sequence[str], pair: LanguagePair) -> list[Column]:
    """The columns by their names; an attribute that several terms have belongs to the one before it."""
    found = [_named(at, name, pair) for at, name in enumerate(header)]
    kinds = Counter((column.role, column.side) for column in found)
    owner = -1
    for at, column in enumerate(found):
        if column.role == "term":
            owner = at
        elif kinds[column.role, column.side] > 1:
            found[at] = column._replace(owner=owner)
    return found


def _guessed_columns(rows: Sequence[Sequence[str]], pair: LanguagePair) -> list[Column]:
    """The columns by what their cells hold; none where that is not certain."""
    cells = [[row[at] for row in rows if at < len(row) and row[at]] for at in range(max(map(len, rows)))]
    usages = [
        at for at, texts in enumerate(cells) if texts and all(meaning_of(each) in [*Usage] for each in texts)
    ]
    left = [
        at for at, texts in enumerate(cells) if at not in usages and any(map(str.isalpha, "".join(texts)))
    ]
    sources = [at for at in left if 2 * sum(map(pair.needs_translation, cells[at])) > len(cells[at])]
    if pair.share_letters or not pair.target:
        sources = left[:1]
    found = [*sources[:1], *([at for at in left if at not in sources] or sources[1:])[:1]]
    if len(left) != 2 and not (len(cells) == _OMEGAT and sorted(found) == [0, 1]):
        return []
    notes = [Column(2, "note")] if len(left) > 2 else []
    return [*_terms(found), *notes, *(Column(at, "usage") for at in usages)]


def entry_of(row: Sequence[str], columns: Sequence[Column], pair: LanguagePair) -> Entry | None:
    """What a row says; None for one without a term in one of the two languages."""
    held = [(column, row[column.at]) for column in columns if column.at < len(row) and row[column.at]]

    def terms(side: str, wanted: str) -> list[tuple[Column, str]]:
        own = [each for each in held if each[0].role == "term" and each[0].side == side]
        return nearest(own, lambda each: each[0].language, wanted)

    # Lokalise's column "term" is in either language.
    sources = terms("source", pair.source) or terms("", "")
    targets = terms("target", pair.target) or [each for each in terms("", "") if each not in sources]
    said = [code_of(text) for column, text in held if column.role == "language"]
    own = [pair.source_language.code, pair.target_language.code]
    if said == own[::-1]:
        sources, targets = targets, sources
    elif not sources or (said and said != own):
        return None
    about = [each for each in held if each[0].side in ("", "target")]
    notes = [text for column, text in held if column.role == "note" and column.side != "other"]
    found = []
    for term, text in targets:
        its = (each for each in about if each[0].owner in (-1, term.at))
        usage, others = usage_of(
            tuple(word for column, said in its for word in words_about(column.role, said))
        )
        found.append(TargetTerm(text, usage))
        notes += others
    words = (text for column, text in about if column.role == "forbidden" and not meaning_of(text))
    found += [TargetTerm(text, Usage.FORBIDDEN) for text in words]
    domain = " ".join(text for column, text in held if column.role == "domain")
    return Entry(sources[0][1], tuple(found), "\n".join(dict.fromkeys(notes)), domain) if found else None


def _named(at: int, name: str, pair: LanguagePair) -> Column:
    words = words_of(name)
    roles = sorted((ROLES[word] for word in words if word in ROLES), key=_ROLES.index)
    codes = {pair.source_language.code: "source", pair.target_language.code: "target"}
    named = [(word, language_named(word)) for word in words if word not in _NO_LANGUAGES]
    side = next((codes[code] for _, code in named if code in codes), "")
    if not side and any(code and word in (words[0], words[-1]) for word, code in named):
        side = "other"
    said = next((ROLES[word] for word in words if ROLES.get(word) in _SIDES and word != "term"), "")
    role = next((role for role in roles if role not in _SIDES), "term" if roles or side else "")
    return Column(at, role, side or said, name if side else "")
