"""Tags in rich text: coloured stretches that say what the chips of the table say."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from anaphora.core.tags import MARK, caption_of
from anaphora.views.appearance.theme import Colours


def with_chips(rich_text: str, labels: Mapping[str, str], colours: Colours) -> str:
    """A rich text whose tags are shown as chips.

    Args:
        labels: what the tags stand for; code is shown as such, other tags by their numbers.
    """
    style = f"background-color:{colours.accent_soft};color:{colours.accent}"

    def chip(found: re.Match[str]) -> str:
        caption = caption_of(found.group(), labels.get(found.group(), ""))
        return f'<span style="{style}">&nbsp;{html.escape(caption)}&nbsp;</span>'

    return MARK.sub(chip, rich_text)
