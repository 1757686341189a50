"""Count the visible texts of Office files that are not translated: fields, formulas, number formats."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping

from anaphora.core.errors import Message
from anaphora.formats.base import remarks
from anaphora.formats.base.package import Package
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.xml import Tree

_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_FORMATTED = re.compile(r"(?:^|/)(?:styles|charts/chart[^/]*)\.xml$", re.IGNORECASE)
_FORMAT = re.compile(r"""formatCode(?:="([^"<]*)"|>([^<]*)<)""")
_FORMATS = Message("Words in number and date formats are not translated: {count}.")


def left_out(
    package: Package, words: SourceWords, trees: Iterable[Tree], counts: Mapping[Message, int]
) -> tuple[Message, ...]:
    """Notes on untranslated texts for `Opened.notes`, beginning with `counts`.

    Args:
        trees: the trees of parts that may contain formulas.
    """
    formulas = sum(words.in_code(text.text or "") for tree in trees for text in tree.iter(_MATH + "t"))
    formats = {
        html.unescape(match[1] or match[2] or "")
        for name in package.names
        if _FORMATTED.search(name)
        for match in _FORMAT.finditer(package.read(name).decode("utf-8", "replace"))
    }
    found = {**counts, remarks.FORMULAS: formulas, _FORMATS: sum(map(words.in_strings, formats))}
    return remarks.counted(found.items())
