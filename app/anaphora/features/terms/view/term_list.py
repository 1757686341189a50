"""The terms of the current segment with their translations, and their use in the target."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import Signal

from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.sentence import Lines
from anaphora.features.terms.usage import TermUse, Verdict


class TermBaseLines(Lines):
    """Lists terms; a click on a translation inserts it.

    Signals:
        chosen: number of a term, from 1.
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._shown: tuple[tuple[TermUse, ...], str, tuple[str, ...], bool] = ((), "", (), True)
        self.set_title(self.tr("Terms of the current segment"))
        self.segment_requested.connect(lambda number: self.chosen.emit(int(number)))
        theme.changed.connect(self._fill)

    def show_uses(
        self, uses: Sequence[TermUse], source: str, keys: Sequence[str], has_target: bool = True
    ) -> None:
        """Show a segment's terms with the keys that insert them; without a target, no verdicts."""
        if (tuple(uses), source, tuple(keys), has_target) != self._shown:
            self._shown = tuple(uses), source, tuple(keys), has_target
            self._fill()

    def _fill(self) -> None:
        uses, source, keys, _ = self._shown
        self.show_lines(
            [
                self._line(number, use, source, keys[number - 1] if number <= len(keys) else "")
                for number, use in enumerate(uses, 1)
            ]
        )

    def _line(self, number: int, use: TermUse, source: str, key: str) -> str:
        colours = self._theme.colours
        colour, verdict = {
            Verdict.USED: (colours.confirmed, self.tr("used")),
            Verdict.IGNORED: (colours.edited, self.tr("not used")),
            Verdict.FORBIDDEN: (colours.warning, self.tr("forbidden term used")),
        }[use.verdict]
        allowed = dict.fromkeys(text for entry in use.found.entries for text in entry.allowed)
        forbidden = dict.fromkeys(text for entry in use.found.entries for text in entry.forbidden)
        remarks = [part for entry in use.found.entries for part in (entry.domain, entry.note) if part]
        first, *others = [html.escape(text) for text in allowed] or [""]
        style = f"color:{colours.accent};text-decoration:none"
        translations = [f'<a style="{style}" href="{number}"><b>{first}</b></a>'] if first else []
        translations += [*others, *(f"<s>{html.escape(text)}</s>" for text in forbidden)]
        term = html.escape(source[use.found.start : use.found.end])
        _, _, _, has_target = self._shown
        head = f'{term} <span style="color:{colour}">{html.escape(verdict)}</span>' if has_target else term
        lines = [head, f"{' · '.join(translations)} &nbsp;{self.muted(key)}"]
        lines += [self.muted(" · ".join(dict.fromkeys(remarks)))] if remarks else []
        return "<br>".join(lines)
