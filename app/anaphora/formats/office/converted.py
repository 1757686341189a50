"""Formats that LibreOffice converts to Office Open XML, and back.

The file is converted whenever it is read or a translation is written, so exports also need LibreOffice.
Content that LibreOffice does not support is lost. The document's notes warn of this; a translation can be
written as Office Open XML instead of being converted back.
"""

from __future__ import annotations

from anaphora.core.errors import Message
from anaphora.core.long_work import Step, no_step
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.libreoffice import Conversion, convert, find_program
from anaphora.formats.base.opened import Format
from anaphora.formats.office import docx, pptx, xlsx

_OLE, _RTF, _ZIP = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"{\\rtf", b"PK\x03\x04"
_PAGES = (b"<html", b"<!doctype html", b"<table")
_MARKUP = (b"<?xml", *_PAGES)
"""First bytes of other files that programs save with the extensions .doc and .xls."""
_OLD_SHEETS = (b"\x09\x00\x04\x00", b"\x09\x02\x06\x00", b"\x09\x04\x06\x00")
_STREAMS = {"doc": ("WordDocument",), "xls": ("Workbook", "Book"), "ppt": ("PowerPoint Document",)}
"""Names of the main stream in an OLE file. Without it, LibreOffice would read the bytes as text."""
_LOOKED_AT = 512
_BLANK = b"\xef\xbb\xbf \t\r\n\0"


class Converted:
    """A format that LibreOffice reads; files are converted to the format `inner`."""

    def __init__(
        self, suffix: str, label: str, inner: Format, begins: tuple[bytes, ...], own_filter: str = ""
    ) -> None:
        """
        Args:
            begins: the first bytes of its files, in lower case.
            own_filter: LibreOffice's output filter; "" if the suffix is enough.
        """
        self.name, self.label, self.inner = suffix, label, inner
        self.extensions: tuple[str, ...] = (f".{suffix}",)
        self._begins = begins
        self._target = f"{suffix}:{own_filter}" if own_filter else suffix
        self._last = (b"", b"")

    def convert(self, data: bytes, step: Step = no_step) -> bytes:
        """Convert a file to the format `inner`; the last result is cached, since an export follows a read.

        Raises:
            FormatError: LibreOffice is missing, or it cannot read the file.
        """
        before, made = self._last
        if before == data:
            return made
        # The first byte of old sheets is a tab.
        whole = data[:_LOOKED_AT].lower()
        begins = whole if whole.startswith(self._begins) else whole.lstrip(_BLANK)
        streams = (name.encode("utf-16-le") for name in _STREAMS.get(self.name, ()))
        is_whole = not begins.startswith(_OLE) or any(name in data for name in streams)
        if not begins.startswith(self._begins) or not is_whole:
            raise FormatError(
                Message("The file is not in {suffix} format.", suffix=self.extensions[0]),
                "It may be damaged or have the wrong extension. Open it in the program that made it.",
            )
        # By default, LibreOffice opens it as a web page, which it cannot save as a document.
        is_page = self.inner is docx.FORMAT and begins.startswith(_PAGES)
        conversion = Conversion(self.extensions[0], self.inner.name, "HTML (StarWriter)" if is_page else "")
        made = convert(data, conversion, self._program(), step)
        self._last = data, made
        return made

    def convert_back(self, data: bytes, step: Step = no_step) -> bytes:
        """Convert a file from the format `inner`; raises the errors of `convert`."""
        return convert(data, Conversion(f".{self.inner.name}", self._target), self._program(), step)

    def _program(self) -> str:
        program = find_program()
        if not program:
            suffix = self.inner.extensions[0]
            raise FormatError(
                "LibreOffice is needed to read this file and is not installed.",
                Message(
                    "Install LibreOffice (libreoffice.org), or save the file as {suffix} first.",
                    suffix=suffix,
                ),
            )
        return program


FORMATS = (
    Converted("rtf", "Rich Text (by LibreOffice)", docx.FORMAT, (_RTF,)),
    Converted("doc", "Word 97 document (by LibreOffice)", docx.FORMAT, (_OLE, _RTF, *_MARKUP), "MS Word 97"),
    Converted("ppt", "PowerPoint 97 presentation (by LibreOffice)", pptx.FORMAT, (_OLE,), "MS PowerPoint 97"),
    Converted(
        "xls",
        "Excel 97 workbook (by LibreOffice)",
        xlsx.FORMAT,
        (_OLE, *_OLD_SHEETS, *_MARKUP),
        "MS Excel 97",
    ),
    Converted("odp", "OpenDocument presentation (by LibreOffice)", pptx.FORMAT, (_ZIP.lower(),)),
    Converted("ods", "OpenDocument spreadsheet (by LibreOffice)", xlsx.FORMAT, (_ZIP.lower(),)),
)
