""".resx and .resw of .NET: the values of strings change; images, types and designer data stay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anaphora.formats.base.pieces import Piece, text_of
from anaphora.formats.bilingual.xml_text import Node, XmlText
from anaphora.formats.localisation.texts import CatalogueString, notes_of
from anaphora.formats.localisation.xml_catalogue import ContentWriter, XmlCatalogue, plain_text

_RETURN = re.compile(r"&#(?:0*13|[xX]0*[dD]);(?:\r\n|\n|\r|&#(?:0*10|[xX]0*[aA]);)")


class Resx(XmlCatalogue):
    name = "resx"
    label = ".NET resources"
    extensions: tuple[str, ...] = (".resx", ".resw")
    kind, root = ".resx file", "root"

    def entries(self, document: XmlText) -> Iterator[CatalogueString]:
        for data in document.root.children:
            name, value = data.get("name"), data.child("value")
            is_string = _is_string(data.get("type")) and not data.get("mimetype")
            # The forms designer stores its data under these names.
            is_meta = name.startswith((">>", "$this.Name"))
            if data.name == "data" and value is not None and not value.children and is_string and not is_meta:
                notes = notes_of(name, document.plain(data.child("comment")))
                text = plain_text(document, value)
                yield CatalogueString(name, value.start, value.end, text, notes, node=value)

    def content(self, document: XmlText, entries: Sequence[CatalogueString]) -> ContentWriter:
        def write(node: Node, pieces: list[Piece]) -> str:
            # XML readers keep only carriage returns that are references, so references are written again.
            line_break = _RETURN.search(document.text, node.inner_start, node.inner_end)
            text = text_of(pieces)
            if line_break:
                return line_break[0].join(map(document.escape, text.split("\n")))
            return document.escape_in(node, text.replace("\n", document.line_end))

        return write


def _is_string(kind: str) -> bool:
    return kind.partition(",")[0].strip() in ("", "System.String")


FORMAT = Resx()
