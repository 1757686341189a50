"""What the app's errors say, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from anaphora.core.errors import AnaphoraError, Sentence, sentence
from anaphora_nmt.errors import AnaphoraNmtError

CONTEXT = "Problems"
"""Where the sentences of `core.errors` stand among the translations."""


def worded(text: str) -> str:
    """A sentence in the window's language; in English where there is no translation of it."""
    if not text:
        return ""
    made = text if isinstance(text, Sentence) else sentence(text)
    said = QCoreApplication.translate(CONTEXT, made.template)
    parts = made.values.items()
    values = {name: worded(part) if isinstance(part, Sentence) else part for name, part in parts}
    return said.format(**values) if values else said


def told(error: AnaphoraError | AnaphoraNmtError) -> str:
    """What happened and what to do, in the window's language."""
    if isinstance(error, AnaphoraNmtError):
        return worded(_of_engine(error)) or type(error).__name__
    return " ".join(worded(part) for part in (error.message, error.advice) if part)


def _of_engine(error: AnaphoraNmtError) -> Sentence:
    values = {
        name: _of_engine(value) if isinstance(value, AnaphoraNmtError) else value
        for name, value in error.values.items()
    }
    return sentence(error.template, **values)
