"""The languages of a model, and the marks that choose one of several target languages."""

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
    """A pair of languages, as the model names them; "" for unknown and not chosen."""

    source: str = ""
    target: str = ""


@dataclass(frozen=True)
class MarkedLanguages:
    """The toolkit's number of each target language's piece `>>xxx<<`; none if there is one."""

    marks: Mapping[str, int]

    @classmethod
    def among(cls, pieces: Mapping[int, str]) -> MarkedLanguages:
        marked = {text: number for number, text in pieces.items() if text[:2] == ">>" and text[-2:] == "<<"}
        return cls({text[2:-2]: number for text, number in marked.items()})

    def choose(self, files: ModelFiles, wanted: Languages, said: Languages = Languages()) -> Languages:
        """The pair: the model's source, and the wanted or the only target."""
        source = said.source or wanted.source
        if not self.marks:
            return Languages(source, said.target or wanted.target)
        only = next(iter(self.marks)) if len(self.marks) == 1 else ""
        target = wanted.target or only or (said.target if said.target in self.marks else "")
        check_languages(files, {"target": target}, self.marks)
        return Languages(source, target)

    def before(self, chosen: Languages, source: Numbering) -> tuple[int, ...]:
        return (source.own()[self.marks[chosen.target]],) if self.marks else ()

    def numbers(self, numbering: Numbering) -> list[int]:
        own = numbering.own()
        return [own[number] for number in self.marks.values()]


def mark_of_language(piece: str) -> str:
    """The language that a piece of M2M100 or NLLB stands for: `__zh__`, `zho_Hans`; "" for any other."""
    match = _MARK.fullmatch(piece)
    return (match["short"] or match["long"]) if match else ""


def check_languages(files: ModelFiles, wanted: Mapping[str, str], known: Iterable[str]) -> None:
    """ModelFileError if a language ("": not chosen) is not among those of a model."""
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
