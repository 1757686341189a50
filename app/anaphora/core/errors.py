"""Expected errors of the app: each message states the problem and the remedy."""

from __future__ import annotations

from collections.abc import Mapping


class Message(str):
    """An English text for a reader; it keeps its parts, so that it can be shown in another language.

    Attributes:
        values: what stands in the fields; a message among them is translated, too.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Message:
        made = super().__new__(cls, template.format(**values) if values else template)
        made.template, made.values = template, values
        return made


class AnaphoraError(Exception):
    """Base of every expected error, fit to be shown to a person (`services.messages` translates it).

    Attributes:
        advice: what the reader can do about it, one sentence; may be empty.
    """

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(f"{message} {advice}".strip())
        self.message = message if isinstance(message, Message) else Message(message)
        self.advice = advice if isinstance(advice, Message) else Message(advice)


class DocumentError(AnaphoraError):
    """A document cannot be read."""


class ProjectError(AnaphoraError):
    """A project file cannot be opened or written."""


class ExportError(AnaphoraError):
    """A translation cannot be written."""


class SearchError(AnaphoraError):
    """A search pattern makes no sense."""
