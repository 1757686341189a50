"""The languages of a model, and the marks that select one of several languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from anaphora_nmt.errors import LanguageNeededError, ModelFileError
from anaphora_nmt.imported.files import ModelFiles
from anaphora_nmt.imported.numbering import Numbering

_MARK = re.compile(r"__(?P<short>[a-z]{2,3})__|(?P<long>[a-z]{3}_[A-Z][a-z]{3})")


@dataclass(frozen=True)
class Languages:
    """A pair of languages, in the model's codes; "" if unknown or not chosen."""

    source: str = ""
    target: str = ""


@dataclass(frozen=True)
class MarkedLanguages:
    """The numbers of the target languages' marks `>>xxx<<` in the vocabulary.

    There are usually no marks if a model has one target language.
    """

    marks: Mapping[str, int]

    @classmethod
    def from_pieces(cls, pieces: Mapping[int, str]) -> MarkedLanguages:
        marked = {text: number for number, text in pieces.items() if text[:2] == ">>" and text[-2:] == "<<"}
        return cls({text[2:-2]: number for text, number in marked.items()})

    def choose(self, files: ModelFiles, wanted: Languages, declared: Languages = Languages()) -> Languages:
        """Choose the languages of translations; raises the errors of `check_languages`.

        Declared languages take precedence over wanted ones. But if the model has marks, the wanted target
        takes precedence over the declared one.
        """
        source = declared.source or wanted.source
        if not self.marks:
            return Languages(source, declared.target or wanted.target)
        single = next(iter(self.marks)) if len(self.marks) == 1 else ""
        target = wanted.target or single or (declared.target if declared.target in self.marks else "")
        check_languages(files, {"target": target}, self.marks)
        return Languages(source, target)

    def source_prefix(self, chosen: Languages, source: Numbering) -> tuple[int, ...]:
        """The mark of the target language in our numbering. It begins each source; () without marks."""
        return (source.our_ids()[self.marks[chosen.target]],) if self.marks else ()

    def our_ids(self, numbering: Numbering) -> list[int]:
        ids = numbering.our_ids()
        return [ids[number] for number in self.marks.values()]


def marked_language(piece: str) -> str:
    match = _MARK.fullmatch(piece)
    return (match["short"] or match["long"]) if match else ""


def check_languages(files: ModelFiles, wanted: Mapping[str, str], known: Iterable[str]) -> None:
    """Check the wanted languages (by side: source, target) against the known ones.

    Raises:
        LanguageNeededError: a language is "", that is, not chosen.
        ModelFileError: the model does not support a language.
    """
    names = tuple(sorted(known))
    if not all(wanted.values()):
        raise LanguageNeededError(
            "The model in {folder} translates into several languages; choose one: {languages}.",
            tuple(wanted),
            names,
            folder=files.folder,
            languages=", ".join(names),
        )
    for language in wanted.values():
        if language not in names:
            raise ModelFileError(
                "The model in {folder} does not support the language {language}. It supports: {languages}.",
                folder=files.folder,
                language=language,
                languages=", ".join(names),
            )
