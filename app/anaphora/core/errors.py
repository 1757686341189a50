"""The errors that the app raises on purpose: each says what happened and what to do."""

from __future__ import annotations

from collections.abc import Mapping


class Sentence(str):
    """An English sentence that remembers what it was made of, so that it can be said in another language.

    Attributes:
        template: the sentence with named fields.
        values: what stands in the fields; a sentence among them is translated, too.
    """

    template: str
    values: Mapping[str, object]


def sentence(template: str, **values: object) -> Sentence:
    """A sentence from a template whose fields, if it has any, are named in braces."""
    made = Sentence(template.format(**values) if values else template)
    made.template, made.values = template, values
    return made


class AnaphoraError(Exception):
    """Base of every expected error, fit to be shown to a person (`services.wording` translates it).

    Attributes:
        message: what happened, one sentence.
        advice: what the reader can do about it, one sentence; may be empty.
    """

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(f"{message} {advice}".strip())
        self.message = message if isinstance(message, Sentence) else sentence(message)
        self.advice = advice if isinstance(advice, Sentence) else sentence(advice)


class DocumentError(AnaphoraError):
    """A document cannot be read."""


class ProjectError(AnaphoraError):
    """A project file cannot be opened or written."""


class ExportError(AnaphoraError):
    """A translation cannot be written."""


class SearchError(AnaphoraError):
    """A search pattern makes no sense."""
