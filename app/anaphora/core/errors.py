"""Errors that the app expects. Their message states the problem, and their advice states the remedy."""

from __future__ import annotations

from collections.abc import Mapping


class Message(str):
    """An English message that keeps its template and values, so that it can be translated.

    Attributes:
        template: the English text with fields, as for `str.format`.
        values: the values of the fields, by name; messages among them are translated, too.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Message:
        message = super().__new__(cls, template.format(**values) if values else template)
        message.template, message.values = template, values
        return message


class AnaphoraError(Exception):
    """Base of every expected error, ready to be shown to the user (`system.messages` translates it).

    Attributes:
        advice: one sentence about what the user can do; "" if there is nothing to do.
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
    """A search pattern is invalid."""
