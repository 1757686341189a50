"""Elements and the positions of their tags, and texts that an XML parser refuses."""

from __future__ import annotations

import time

import pytest

from anaphora.formats.base.format import FormatError
from anaphora.formats.bilingual.xml_text import Node, read_nodes


def shown(text: str, node: Node) -> str:
    return text[node.start : node.end]


def test_tags_are_found_beside_similar_text() -> None:
    text = (
        '<?xml version="1.0"?><!DOCTYPE a [<!-- <b> --> <!ELEMENT b ANY>]><a><!-- <b> --><x:b k="1>2" '
        'j=\'<b/>"/\'/><![CDATA[<b>]]><?p <b> ?><b\n a = "&lt;/"  /></a >'
    )
    root = read_nodes(text)
    assert [(node.prefix, node.name, node.is_empty_tag) for node in root.children] == [
        ("x:", "b", True),
        ("", "b", True),
    ]
    first, second = root.children
    assert {name: found.value for name, found in first.attributes.items()} == {"k": "1>2", "j": '<b/>"/'}
    assert second.get("a") == "</"
    found = second.attributes["a"]
    assert text[found.name_start : found.end + 1] == 'a = "&lt;/"'
    assert shown(text, root).endswith("</a >")
    assert text[root.inner_end :] == "</a >"


def test_nearest_inherited_attribute_applies() -> None:
    root = read_nodes('<a translate="no"><b xml:space="preserve"><c translate="yes"/></b><d/></a>')
    b, d = root.children
    assert b.children[0].scope == {"translate": "yes", "xml:space": "preserve"}
    assert d.scope == {"translate": "no"}


@pytest.mark.parametrize(
    "text", ["", "x", "<a>", "<a></b>", "<a><b></a></b>", "<a/><b/>", "</a>", "<a></a></a>", '<a b="></a>']
)
def test_tags_that_do_not_match_are_refused(text: str) -> None:
    with pytest.raises(FormatError):
        read_nodes(text)


@pytest.mark.parametrize("opening", ["<!-- ", "<? ", "<![CDATA[", "<a ", '<a b="', "<!", "<a/", "</"])
def test_unclosed_tags_take_linear_time(opening: str) -> None:
    begun = time.process_time()
    with pytest.raises(FormatError):
        read_nodes("<a>" + opening * 100_000)
    assert time.process_time() - begun < 2
