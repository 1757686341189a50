"""What the columns of a table of terms hold, by their names or, where they have none, by their cells.

Names are those of DeepL, Phrase ("en_status"), Crowdin ("Status [en]"), Lokalise ("en_description"), memoQ
("English_Def", "Term_Info") and MultiTerm, and others that consist of the same words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from anaphora.core.language_pair import LanguagePair
from anaphora.core.languages import code_of
from anaphora.formats.base.tables import ROLES, language_named, words_of
from anaphora.formats.bilingual.languages import nearest
from anaphora.formats.terminology.usages import meaning_of, usage_of, words_about
from anaphora.term_base.entries import Entry, TargetTerm, Usage

_SAMPLE = 50
"""Rows by which columns without names are told."""
_OMEGAT = 3
"""Columns of a glossary without names, at the most: term, translation, comment."""
_NO_LANGUAGES = ("id", "no", "is")
_TERMS = ("source", "target")
_ORDER = list(dict.fromkeys(ROLES.values()))


@dataclass(frozen=True, slots=True)
class Column:
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


def named_columns(header: Sequence[str], pair: LanguagePair) -> list[Column]:
    """The columns by their names; an attribute that several terms have belongs to the one before it."""
    found = [_named(at, name, pair) for at, name in enumerate(header)]
    kinds = Counter((column.role, column.side) for column in found)
    owner = -1
    for at, column in enumerate(found):
        if column.role == "term":
            owner = at
        elif kinds[column.role, column.side] > 1:
            found[at] = replace(column, owner=owner)
    return found


def name_both(columns: Sequence[Column]) -> bool:
    """Whether columns hold a term and its translation, as far as their names say."""
    sides = {column.side: column.language for column in columns if column.role == "term"}
    return sides.keys() >= {"source", "target"} or ("" in sides and any(sides.values()))


def deepl_columns(rows: Sequence[Sequence[str]]) -> list[Column]:
    """The columns of a glossary of DeepL's, which names two languages in each row; none for another one."""
    if not all(len(row) == 4 and all(map(language_named, row[2:])) for row in rows[:_SAMPLE]):
        return []
    roles = ("term", "source"), ("term", "target"), ("language", "source"), ("language", "target")
    return [Column(at, *role) for at, role in enumerate(roles)]


def guessed_columns(rows: Sequence[Sequence[str]], pair: LanguagePair) -> tuple[list[Column], bool]:
    """The columns by what their cells hold, and whether that is certain."""
    rows = rows[:_SAMPLE]
    cells = [[row[at] for row in rows if at < len(row) and row[at]] for at in range(max(map(len, rows)))]
    usages = [at for at, texts in enumerate(cells) if texts and all(map(_is_usage, texts))]
    left = [at for at, texts in enumerate(cells) if at not in usages and any(map(_has_letters, texts))]
    sources = [at for at in left if 2 * sum(map(pair.needs_translation, cells[at])) > len(cells[at])]
    if pair.share_letters or not pair.target:
        sources = left[:1]
    targets = [at for at in left if at not in sources]
    source, target = (sources or [0])[0], (targets or sources[1:] or [1])[0]
    is_certain = len(left) == 2 or (len(left) <= _OMEGAT == len(cells) and {source, target} == {0, 1})
    notes = [Column(2, "note")] if is_certain and len(left) > 2 else []
    terms = Column(source, "term", "source"), Column(target, "term", "target")
    return [*terms, *notes, *(Column(at, "usage") for at in usages)], is_certain


def entry_of(row: Sequence[str], columns: Sequence[Column], pair: LanguagePair) -> Entry | None:
    """What a row says; None for one without a term in one of the two languages."""
    held = [(column, row[column.at]) for column in columns if column.at < len(row) and row[column.at]]
    terms = [(column, text) for column, text in held if column.role == "term"]
    sources, targets = (
        nearest([each for each in terms if each[0].side == side], _language_of, wanted)
        for side, wanted in zip(_TERMS, (pair.source, pair.target), strict=True)
    )
    spare = [each for each in terms if not each[0].side]  # Lokalise's column "term" is in either language
    sources = sources or spare
    targets = targets or [each for each in spare if each not in sources and each[1] != sources[0][1]]
    if not sources:
        return None
    said = {column.side: code_of(text) for column, text in held if column.role == "language"}
    own = {"source": pair.source_language.code, "target": pair.target_language.code}
    if said and said != own:
        if said != {"source": own["target"], "target": own["source"]}:
            return None
        sources, targets = targets, sources
    about = [each for each in held if each[0].side in ("", "target")]
    found, others = [], []
    for term, text in targets:
        own_ones = [each for each in about if each[0].owner in (-1, term.at)]
        usage, more = usage_of(word for column, said in own_ones for word in words_about(column.role, said))
        found.append(TargetTerm(text, usage))
        others += more
    words = (text for column, text in about if column.role == "forbidden" and not meaning_of(text))
    found += [TargetTerm(text, Usage.FORBIDDEN) for text in words]
    notes = [text for column, text in held if column.role == "note" and column.side != "other"]
    domain = " ".join(text for column, text in held if column.role == "domain")
    return (
        Entry(sources[0][1], tuple(found), "\n".join(dict.fromkeys(notes + others)), domain)
        if found
        else None
    )


def _is_usage(text: str) -> bool:
    return meaning_of(text) in [*Usage]


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _named(at: int, name: str, pair: LanguagePair) -> Column:
    words = words_of(name)
    roles = sorted((ROLES[word] for word in words if word in ROLES), key=_ORDER.index)
    codes = {pair.source_language.code: "source", pair.target_language.code: "target"}
    named = [codes.get(language_named(word), "") for word in words if word not in _NO_LANGUAGES]
    side = next(filter(None, named), "")
    others = [word for word in (*words[:1], *words[-1:]) if word not in _NO_LANGUAGES]
    if not side and any(map(language_named, others)):
        side = "other"
    said = next((word for word in words if ROLES.get(word) in _TERMS and word != "term"), "")
    role = next((role for role in roles if role not in _TERMS), "term" if roles or side else "")
    return Column(at, role, side or ROLES.get(said, ""), name if side else "")


def _language_of(term: tuple[Column, str]) -> str:
    return term[0].language
