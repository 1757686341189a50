"""Translates error messages and descriptions of places in documents into the window's language."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication

from anaphora.core.errors import AnaphoraError, Message
from anaphora_nmt.errors import AnaphoraNmtError

CONTEXT = "Problems"
"""The translation context of the messages of `core.errors`."""
_PHRASE = re.compile(r"(?:“[^“”]*”|[,:](?! )|[^,:])+|[,:] ")
"""A phrase in the description of a place, or the separator of two phrases."""
_VALUE = re.compile(r"(?<=“)[^“”]*(?=”)|\b[A-Z]*[0-9]+")
"""A quoted name, a number or a cell (such as B7) in a phrase."""


def localise_message(text: str) -> str:
    """A message in the window's language, or in English if the message has no translation."""
    if not text:
        return ""
    message = text if isinstance(text, Message) else Message(text)
    translated = QCoreApplication.translate(CONTEXT, message.template)
    parts = message.values.items()
    values = {name: localise_message(part) if isinstance(part, Message) else part for name, part in parts}
    return translated.format(**values) if values else translated


def localise_place(text: str) -> str:
    """The description of a text's place (`core.notes`) in the window's language; unknown phrases stay."""
    return "".join(map(_localise_phrase, _PHRASE.findall(text)))


def _localise_phrase(phrase: str) -> str:
    value = _VALUE.search(phrase)
    template = _VALUE.sub("{0}", phrase, count=1)
    translated = QCoreApplication.translate("Places", template)
    return translated.replace("{0}", value.group()) if value else translated


def describe_error(error: Exception) -> str:
    """An expected error's message and advice in the window's language; other errors are raised again."""
    if isinstance(error, AnaphoraNmtError):
        return localise_message(_message_of_engine(error)) or type(error).__name__
    if not isinstance(error, AnaphoraError):
        raise error
    whole = Message("{message} {reasons}", message=error.message, reasons=error.advice)
    return localise_message(whole).strip()


def _message_of_engine(error: AnaphoraNmtError) -> Message:
    values = {
        name: _message_of_engine(value) if isinstance(value, AnaphoraNmtError) else value
        for name, value in error.values.items()
    }
    return Message(error.template, **values)
