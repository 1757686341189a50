"""Find the encoding of a text file; decode and encode its text; refuse files that are not text."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from anaphora.core.errors import Message
from anaphora.core.languages import Language, language_of
from anaphora.core.text import has_controls
from anaphora.formats.base.format import FormatError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8", "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16-be"),
)
_BINARY_STARTS = (b"PK\x03\x04", b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"\x1f\x8b", b"{\\rtf")
_LINE_END = re.compile(r"\r\n|\n|\r")
_DECLARATION = re.compile(r"charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]+)|encoding\s*=\s*[\"']([A-Za-z0-9_:.-]+)")
_HEAD = 4096
"""Number of bytes at the start of a file that may contain the declaration of its encoding."""
_IGNORED_CODECS = re.compile("utf|punycode|idna|.*escape|undefined|mbcs|oem|cp65001")
"""Declared codecs that are ignored: either files do not use them, or `decode` recognises their bytes."""
_COMMON = re.compile(
    r"[的一是不在了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年這為個國時來們對會發]"
)
"""The most common Chinese characters, simplified and traditional."""
_UNUSUAL = re.compile(r"[\ue000-\uf8ff\u0080-\u009f]")
"""Private-use and control characters, which are frequent in text that was decoded in a wrong encoding."""


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text file's content without its byte order mark, and the way to encode it again.

    Attributes:
        encoding: the encoding's name for users ("utf-8-sig" is UTF-8 with a byte order mark).
        codec: Python's codec for the bytes after the mark.
        bom: the byte order mark; empty without one.
    """

    text: str
    encoding: str
    codec: str
    bom: bytes = b""

    @property
    def line_end(self) -> str:
        """The first line ending in the text; "\\n" without one."""
        match = _LINE_END.search(self.text)
        return match[0] if match else "\n"

    def encode(self, text: str) -> bytes:
        """Encode a text in this encoding, or in UTF-8 without a mark if the encoding lacks a character."""
        try:
            return self.bom + text.encode(self.codec)
        except UnicodeEncodeError:
            return text.encode("utf-8", "replace")

    def encode_markup(self, text: str) -> bytes:
        """Encode XML or HTML; characters that the encoding lacks become character references."""
        return self.bom + text.encode(self.codec, "xmlcharrefreplace")


def decode(data: bytes, language: str = "", recorded: str = "") -> DecodedText:
    """Decode a text file; encoding the result again gives the same bytes.

    Args:
        language: code of the text's language; "" if unknown, which counts as Chinese.
        recorded: the encoding in which the file was read before; "" for a new file.
    Raises:
        FormatError: the file is not text, or its encoding could not be recognised.
    """
    if data.startswith(_BINARY_STARTS):
        raise _binary_error()
    for bom, codec, name in _BOMS:
        if data.startswith(bom):
            text = _exact_text(data[len(bom) :], codec)
            if text is None:
                raise FormatError(
                    Message(
                        "The file is not valid in its declared encoding, {encoding}.",
                        encoding=name.upper(),
                    ),
                    "The file may be damaged or incomplete. Get a new copy, or repair it in a text editor.",
                )
            return _checked(DecodedText(text, name, codec, bom))
    text = _exact_text(data, "utf-8")
    # Latin letters in UTF-16 without a mark are also valid UTF-8, but every other byte is zero.
    if text is not None and (len(data) % 2 or any(data[0::2]) == any(data[1::2])):
        return _checked(DecodedText(text, "utf-8", "utf-8"))
    # The recorded encoding precedes guesses, which may differ between versions of the app.
    for codec in (_wide_codec(data), "" if b"\x00" in data else recorded):
        text = _exact_text(data, codec) if codec else None
        if text is not None and not has_controls(text):
            return DecodedText(text, codec, codec)
    if b"\x00" in data:
        raise _binary_error()
    return _decode_legacy(data, language_of(language))


def decode_declared(
    data: bytes,
    language: str = "",
    recorded: str = "",
    head: int = _HEAD,
    alternatives: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> DecodedText:
    """Decode a file that may declare a legacy encoding; without a valid declaration, `decode` does it.

    Args:
        head: number of bytes to search for the declaration.
        alternatives: by declared encoding, the encodings to try in its place.
    """
    match = None if b"\x00" in data else _DECLARATION.search(data[:head].decode("latin-1"))
    codec = _declared_codec(match[1] or match[2]) if match and not _is_surely_utf8(data) else ""
    for each in alternatives.get(codec, (codec,)) if codec else ():
        text = _exact_text(data, each)
        if text is not None:
            return DecodedText(text, each, each)
    return decode(data, language, recorded)


def _declared_codec(name: str) -> str:
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        return ""
    return "" if _IGNORED_CODECS.match(codec) else codec


def _is_surely_utf8(data: bytes) -> bool:
    text = _exact_text(data, "utf-8")
    return text is not None and (data.startswith(codecs.BOM_UTF8) or len(data) - len(text) >= 16)


def _wide_codec(data: bytes) -> str:
    even, odd = data[0::2].count(0), data[1::2].count(0)
    if len(data) % 2 or not even + odd:
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _decode_legacy(data: bytes, language: Language) -> DecodedText:
    from charset_normalizer import from_bytes  # slow to import, rarely needed

    for codec in ("gb18030", "big5") if language.code in ("", "zh") else ():
        text = _exact_text(data, codec)
        if text is not None and _reads_as_chinese(text, codec):
            return DecodedText(text, codec, codec)
    guess = from_bytes(data, cp_isolation=[*language.encodings]).best() if language.encodings else None
    for match in (guess, from_bytes(data).best()):
        text = _exact_text(data, match.encoding) if match is not None else None
        if match is not None and text is not None and not has_controls(text):
            return DecodedText(text, match.encoding, match.encoding)
    raise FormatError(
        "The encoding could not be recognised. The file may be damaged or not a text file.",
        "Save it as UTF-8 in a text editor and open it again.",
    )


def _reads_as_chinese(text: str, codec: str) -> bool:
    """True if a legacy decoding is plausible Chinese; a short text may lack `_COMMON` characters."""
    wide = [char for char in text if ord(char) > 0x7F]
    if has_controls(text) or not wide or len(_UNUSUAL.findall(text)) > len(wide) * 0.02:
        return False
    share = sum(_is_everyday(char, codec) for char in wide) / len(wide)
    return share > 0.8 and (len(wide) < 60 or len(_COMMON.findall(text)) > len(wide) * 0.04)


def _is_everyday(char: str, codec: str) -> bool:
    """True if a character is in GB 2312, or, for the codec "big5", on the first level of Big5."""
    try:
        return char.encode("big5")[0] < 0xC7 if codec == "big5" else bool(char.encode("gb2312"))
    except UnicodeEncodeError:
        return False


def _exact_text(data: bytes, codec: str) -> str | None:
    try:
        text = data.decode(codec)
        return text if text.encode(codec) == data else None
    except (UnicodeError, LookupError):
        return None


def _checked(decoded: DecodedText) -> DecodedText:
    if has_controls(decoded.text):
        raise _binary_error()
    return decoded


def _binary_error() -> FormatError:
    return FormatError(
        "This file contains binary data, not text.",
        "Check that this is the right file and that its extension is correct.",
    )
