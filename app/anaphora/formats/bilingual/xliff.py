"""XLIFF 1.2, 2.0, 2.1 and 2.2 (.xlf, .xliff; .sdlxliff, .mqxliff, .mxliff as far as they are XLIFF 1.2)."""

from __future__ import annotations

from anaphora.core.errors import Message
from anaphora.formats.base.format import FormatError, HowRead
from anaphora.formats.bilingual.unit_format import UnitFormat
from anaphora.formats.bilingual.xliff1 import Xliff1
from anaphora.formats.bilingual.xliff2 import Xliff2
from anaphora.formats.bilingual.xml_text import XmlText


class Xliff(UnitFormat):
    name = "xliff"
    label = "XLIFF"
    extensions: tuple[str, ...] = (".xlf", ".xliff", ".sdlxliff", ".mqxliff", ".mxliff")

    def opened(self, data: bytes, reading: HowRead) -> Xliff1 | Xliff2:
        document = XmlText(data)
        root = document.root
        if root.name != "xliff":
            raise FormatError(
                Message("This is no XLIFF file: its outermost element is “{name}”.", name=root.name),
                "Check that it is the file you meant, and open it with its own name.",
            )
        return Xliff2(document) if root.get("version").startswith("2") else Xliff1(document)


FORMAT = Xliff()
