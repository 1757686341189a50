"""Capitals of a stretch of text, changed by one key."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QLocale

_WORD = re.compile(r"[^\W\d_][\w'’]*")


def case_forms(text: str, locale: QLocale) -> tuple[str, ...]:
    """A text in other cases, the likeliest first, and in the end as it is now.

    In turn: as a sentence begins, small, each word with a capital, capitals.

    Args:
        locale: of the text's language: in Turkish the capital of i is İ.
    """
    small = locale.toLower(text)

    def capital(match: re.Match[str]) -> str:
        word = match.group()
        return locale.toUpper(word[0]) + word[1:]

    forms = (_WORD.sub(capital, small, 1), small, _WORD.sub(capital, small), locale.toUpper(text))
    return (*dict.fromkeys(form for form in forms if form != text), text)


class LetterCase:
    """Gives a stretch the next case each time it is asked for the same one.

    Args:
        replace: puts a text in place of a stretch of the text field's.
    """

    def __init__(self, replace: Callable[[tuple[int, int], str], None]) -> None:
        self._replace = replace
        self._start = 0
        self._forms: tuple[str, ...] = ()

    def change(self, start: int, text: str, locale: QLocale) -> str:
        """Put the next form in place of a text that begins there, and return it.

        A text that has only one case is left alone.
        """
        if not self._forms or (start, text) != (self._start, self._forms[-1]):
            self._start, self._forms = start, case_forms(text, locale)
        first, *others = self._forms
        self._forms = (*others, first)
        if first != text:
            self._replace((start, start + len(text)), first)
        return first
