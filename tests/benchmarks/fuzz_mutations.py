"""The seeds of the fuzz run, and what is done to them."""

from __future__ import annotations

import io
import random
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import fuzz_catalogues
import fuzz_schema
from lxml import etree

_ELEMENTS = 0.2
"""Share of the files that get an element of the schema instead of damage."""
Mutation: TypeAlias = Callable[[bytes, random.Random], bytes]
GOLDEN = Path(__file__).parents[1] / "golden"
PACKAGES = ("docx", "odt", "pptx", "xlsx", "epub")
MARKUP = ("xliff", "tmx", "html", "resx", "xml", "ts", "stringsdict")
KINDS = {"markdown": "md"}
OTHERS = ("projects", "foreign", "translation_memories", "checks", "genres", "remarks", "terms")
"""Folders of tests/golden that are no kind of document."""
UNREADABLE = (
    zipfile.BadZipFile, zlib.error, NotImplementedError, ValueError, EOFError, RuntimeError, OSError,
    struct.error,
)  # fmt: skip
"""What zipfile says of a package that is damaged already."""
NUMBERS = ("0", "-1", "1", "255", "65536", "4294967296", "9" * 400, "1e999", "NaN", "", "0x7f", "٣", "½", "²")
WORDS = (
    b"<", b">", b'"', b"'", b"&", b"&#0;", b"&#xD800;", b"&#x110000;", b"&#1;", b"&nbsp;", b"&lt;", b"]]>",
    b"<!--", b"-->", b"<![CDATA[", b"<?x?>", b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r",
    b"\r\n", b"\n", b"\xe2\x80\xa8", b"\x0b", b"\x85", b"\\", b"{", b"}", b"{1}", b"{/1}", b"{1/}", b"\\N",
    b"{\\p1}", b"msgid ", b'msgstr[99] ""', b'msgctxt "', b"#~ ", b"#| ", b"```\n", b"[a](b", b"| a |\n|-|",
    b"-->", b"00:00:00,000", b"[Events]\n", b"Dialogue: ", b"<g>", b"</g>", b"<br>", b"<script>", b"</p>",
    b"\xf0\x9f\x98\x80", b"\xe2\x80\xae", b"\xcc\x81" * 50, "。".encode() * 40, "中文。".encode(),
)  # fmt: skip
SMALL: dict[str, bytes] = {
    "a.txt": "第一行。第二句！\r\n\r\n缩进　的 text 2024\n终".encode(),
    "b.txt": "你好，世界。".encode("utf-16"),
    "c.txt": ("账本保存每个交易。\n" * 60).encode("gb18030"),
    "d.txt": b"",
    "a.md": (
        "---\ntitle: 标题\n---\n# 一级 {#id}\n\n段落**粗体**和`码`，[链接](http://a.example/ '题')。\n\n"
        "- [ ] 项目\n  1. 子项\n\n> 引用\n> 文字\n\n| 甲 | 乙 |\n|:--|--:|\n| 一 | `二` |\n\n"
        "```py\n码\n```\n\n"
        "<div>块</div>\n\n![图](a.png)[^1]\n\n[^1]: 注释。\n\n[ref]: http://b.example '参考'\n"
    ).encode(),
    "a.mdx": (
        "---\ntitle: 标题\n---\nimport A from 'a'\n\nexport const b = {\n  c: '字',\n}\n\n# 一级\n\n"
        '<A title="题 &amp; 词"\n  b={{ c: 1 }}>\n\n  段落**粗体**和`{码}`，{x > 1 ? 1 : 2} 个，[[页|词]]。'
        "\n\n  <B a={c} label='签'>块</B>\n</A>\n\n{/* 注 */}\n\n- <C /> 项\n"
    ).encode(),
    "b.markdown": ("* 条目\n" * 80 + "\n标题\n====\n\n" + "文字<br/>更多 &amp; &copy;。\n\n" * 30).encode(),
    "a.html": (
        "<!DOCTYPE html><html lang='zh'><head><meta charset='utf-8'><title>题</title>"
        "<style>p{}</style></head><body><p title='提示'>文<b>粗</b>&nbsp;体<br>行<img alt='图' src='http://a.example/x.png'></p>"
        "<script>var a='字'</script><table><tr><td>格<td>子</table><pre>  预\n 排</pre>"
        "<svg><text>图</text></svg>"
        "<textarea>域</textarea><select><option>选</select><input value='值' placeholder='占'></body></html>"
    ).encode(),
    "a.srt": "1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>你好</i>，{\\an8}世界\r\n\r\n2\r\n00:00:03,000 -->"
    " 00:00:04,000 X1:1\r\n第二\r\n行\r\n".encode(),
    "a.po": (
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; '
        'plural=n != 1;\\n"\n\n#. 注\n#: a.c:1\n#, fuzzy, c-format\n#| msgid "旧"\nmsgctxt "上下文"\n'
        'msgid "%d 个文件"\nmsgid_plural "%d 个"\nmsgstr[0] "a"\nmsgstr[1] ""\n\n'
        '#~ msgid "废"\n#~ msgstr "x"\n'
    ).encode(),
    **fuzz_catalogues.SMALL,
}
_TAG = re.compile(rb"<[^<>]*>")
_LEAF = re.compile(rb"<(\w[\w:.-]*)[^<>]*?(?:/>|>[^<>]*</\1>)")
_ATTRIBUTE = re.compile(rb"""=\s*("[^"<]*"|'[^'<]*')""")
_DIGITS = re.compile(rb"\d+")


def seeds() -> dict[str, list[tuple[str, bytes]]]:
    """By kind (the folders of tests/golden, txt and md): names and contents to begin with."""
    found: dict[str, list[tuple[str, bytes]]] = {"txt": [], "md": []}
    for folder in sorted(path for path in GOLDEN.iterdir() if path.is_dir() and path.name not in OTHERS):
        for path in sorted(folder.iterdir()):
            if path.is_file() and path.name != "SOURCES.md":
                found.setdefault(KINDS.get(folder.name, folder.name), []).append(
                    (path.name, path.read_bytes())
                )
    for name, content in SMALL.items():
        kind = name.partition(".")[2]
        found.setdefault(KINDS.get(kind, kind), []).append((name, content))
    return found


def mutate(kind: str, data: bytes, chance: random.Random) -> bytes:
    """The content with one to four kinds of damage, or with an element of its schema somewhere."""
    if chance.random() < _ELEMENTS and (names := fuzz_schema.elements(kind)):
        return fuzz_schema.inserted(kind, data, chance.choice(names), chance)
    if kind not in PACKAGES:
        return several(data, chance, TEXT + MARKED if kind in MARKUP or chance.random() < 0.3 else TEXT)
    if chance.random() < 0.75:
        return inside(data, chance)
    return several(data, chance, (*TEXT[:5], swap_members, bomb, lie))


def several(data: bytes, chance: random.Random, choices: tuple[Mutation, ...]) -> bytes:
    """One to four of these mutations, one after the other."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        data = chance.choice(choices)(data, chance)
    return data


def span(data: bytes, chance: random.Random) -> tuple[int, int]:
    """A random stretch: most are short."""
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.choice((1, 2, 7, 40, 300, 4000)))


def truncate(data: bytes, chance: random.Random) -> bytes:
    """Cut off somewhere."""
    return data[: chance.randrange(len(data) + 1)]


def flip(data: bytes, chance: random.Random) -> bytes:
    """Some bits the other way round."""
    out = bytearray(data)
    for _ in range(chance.choice((1, 5, 50)) if out else 0):
        out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def insert(data: bytes, chance: random.Random) -> bytes:
    """Words that mean something to some format, or random bytes, put in."""
    for _ in range(chance.choice((1, 3, 20))):
        at = chance.randrange(len(data) + 1)
        word = chance.choice(WORDS) if chance.random() < 0.8 else chance.randbytes(chance.randrange(1, 30))
        data = data[:at] + word + data[at:]
    return data


def delete(data: bytes, chance: random.Random) -> bytes:
    """A stretch left out."""
    start, end = span(data, chance)
    return data[:start] + data[end:]


def duplicate(data: bytes, chance: random.Random) -> bytes:
    """A stretch many times over, at most 2 MB."""
    start, end = span(data, chance)
    times = min(chance.choice((1, 3, 100, 20_000)), 2_000_000 // max(1, end - start))
    return data[:end] + data[start:end] * times + data[end:]


def number(data: bytes, chance: random.Random) -> bytes:
    """An absurd number in place of one."""
    return _replaced(_DIGITS, data, chance, chance.choice(NUMBERS).encode())


def line_ends(data: bytes, chance: random.Random) -> bytes:
    """Mixed line ends, or none."""
    ends = [chance.choice((b"\n", b"\r", b"\r\n", b"\n\n", b"\x0c", b"")) for _ in range(3)]
    return b"".join(line + chance.choice(ends) for line in data.split(b"\n"))


def recode(data: bytes, chance: random.Random) -> bytes:
    """The text in another encoding than it says."""
    text = data.decode("utf-8", "replace")
    coding = chance.choice(
        ("utf-16", "utf-16-be", "utf-32", "gb18030", "big5", "shift-jis", "utf-7", "cp037")
    )
    return text.encode(coding, "replace")


def surrogates(data: bytes, chance: random.Random) -> bytes:
    """Lone surrogates, as broken programs write them."""
    at = chance.randrange(len(data) + 1)
    lone = chr(chance.randrange(0xD800, 0xE000)).encode("utf-8", "surrogatepass")
    return data[:at] + lone * chance.choice((1, 30)) + data[at:]


def shuffle(data: bytes, chance: random.Random) -> bytes:
    """Two stretches change places."""
    (start, end), (first, last) = sorted((span(data, chance), span(data, chance)))
    if first < end:
        return data[::-1] if chance.random() < 0.05 else data
    return data[:start] + data[first:last] + data[end:first] + data[start:end] + data[last:]


def nest(data: bytes, chance: random.Random) -> bytes:
    """Elements in elements, hundreds or tens of thousands deep, some never closed."""
    tags = [match for match in _TAG.finditer(data) if re.match(rb"<\w[^/]*>$", match.group())]
    tag = chance.choice(tags).group() if tags else chance.choice((b"<b>", b"<div>", b"> ", b"- ", b"*", b"["))
    close = b"</" + re.split(rb"[\s>]", tag[1:])[0] + b">" if tag.startswith(b"<") else b""
    at = chance.choice(tags).end() if tags else chance.randrange(len(data) + 1)
    deep = chance.choice((30, 250, 3000, 30_000))
    middle = chance.choice((b"", "字".encode()))
    return (
        data[:at] + tag * deep + middle + close * (deep if chance.random() < 0.8 else deep // 2) + data[at:]
    )


def attribute(data: bytes, chance: random.Random) -> bytes:
    """An attribute that is huge, empty, absurd or another one's."""
    others = [match.group(1)[1:-1] for match in _ATTRIBUTE.finditer(data)] or [b""]
    value = chance.choice(
        (b"", b"x" * 1_000_000, b"../" * 50, b"/etc/passwd", b"file:///dev/zero",
         chance.choice(NUMBERS).encode(), chance.choice(others), chance.choice(others), "字".encode() * 5000)
    )  # fmt: skip
    return _replaced(_ATTRIBUTE, data, chance, b'="' + value.replace(b'"', b"") + b'"')


def repeat(data: bytes, chance: random.Random) -> bytes:
    """A whole small element many times over."""
    leaves = list(_LEAF.finditer(data))
    if not leaves:
        return duplicate(data, chance)
    leaf = chance.choice(leaves)
    times = min(chance.choice((2, 40, 2000, 50_000)), 2_000_000 // len(leaf.group()))
    return data[: leaf.end()] + leaf.group() * times + data[leaf.end() :]


def entities(data: bytes, chance: random.Random) -> bytes:
    """A DOCTYPE with entities, plain, nested or from elsewhere, and one of them in use."""
    doctype = chance.choice(
        (
            b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>',
            b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
            b'<!DOCTYPE x SYSTEM "http://a.invalid/x.dtd">',
            b'<!DOCTYPE x [<!ENTITY % p SYSTEM "http://a.invalid/p.dtd"> %p;]>',
            b"<!DOCTYPE x [<!ELEMENT x ANY>" + b"<!ATTLIST x a CDATA 'v'>" * 1000 + b"]>",
        )
    )
    root = re.search(rb"<\w", data)
    at = root.start() if root else 0
    use = chance.randrange(at, len(data) + 1)
    return data[:at] + doctype + data[at:use] + chance.choice((b"&a;", b"&b;", b"")) + data[use:]


def rearrange(data: bytes, chance: random.Random) -> bytes:
    """Elements moved, copied, dropped or renamed: well-formed, and senseless."""
    try:
        tree = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    except (etree.XMLSyntaxError, ValueError):
        return insert(data, chance)
    for _ in range(chance.choice((1, 3, 10))):
        elements = [element for element in tree.iter() if isinstance(element.tag, str)]
        one, other = chance.choice(elements), chance.choice(elements)
        action = chance.randrange(5)
        if action == 0 and one is not tree:
            one.getparent().remove(one)
        elif action == 1 and one not in other.iterancestors() and one is not other:
            other.append(one)
        elif action == 2:
            other.append(etree.fromstring(etree.tostring(one, with_tail=False)))
        elif action == 3:
            one.tag = other.tag
        else:
            one.text, one.tail = other.tail, chance.choice(("文字。", None, "x" * 100))
            for name in list(one.attrib)[:1]:
                del one.attrib[name]
    return etree.tostring(tree, xml_declaration=True, encoding="UTF-8")


def _replaced(pattern: re.Pattern[bytes], data: bytes, chance: random.Random, by: bytes) -> bytes:
    found = list(pattern.finditer(data))
    if not found:
        return insert(data, chance)
    match = chance.choice(found)
    return data[: match.start()] + by + data[match.end() :]


def inside(data: bytes, chance: random.Random) -> bytes:
    """Damage in one or two parts of a package, packed again with the right checksums."""
    parts = unpacked(data)
    texts = [name for name in parts if re.search(r"\.(xml|rels|x?html|opf|ncx)$", name)]
    for name in chance.sample(texts, min(len(texts), chance.choice((1, 1, 2)))):
        parts[name] = several(parts[name], chance, TEXT + MARKED + MARKED)
    return packed(parts)


def swap_members(data: bytes, chance: random.Random) -> bytes:
    """Two parts change contents, one is gone, doubled or has a strange name."""
    try:
        parts = unpacked(data)
    except UNREADABLE:
        return flip(data, chance)
    names = list(parts)
    if len(names) < 2:
        return flip(data, chance)
    one, other = chance.sample(names, 2)
    action = chance.randrange(4)
    if action == 0:
        parts[one], parts[other] = parts[other], parts[one]
    elif action == 1:
        del parts[one]
    elif action == 2:
        parts[chance.choice(("../" * 9 + "etc/x", "/abs", "a" * 60_000, "\\x", "n\x00.xml"))] = parts.pop(one)
    return packed(parts, double=one if action == 3 else "")


def bomb(data: bytes, chance: random.Random) -> bytes:
    """A part that unpacks to 20 to 300 MB of blanks or of a repeated element."""
    try:
        parts = unpacked(data)
    except UNREADABLE:
        return truncate(data, chance)
    if not parts:
        return data
    name = chance.choice(list(parts))
    size = chance.choice((20, 100, 300)) * 2**20
    content = parts[name]
    middle = max(content.rfind(b"</"), 0)
    filling = chance.choice((b" ", b"<a/>", b"\x00", b"<a>"))
    parts[name] = content[:middle] + filling * (size // len(filling)) + content[middle:]
    return packed(parts)


def lie(data: bytes, chance: random.Random) -> bytes:
    """A record of the package that says something else: a size, an offset, a method, a length."""
    marks = [match.start() for match in re.finditer(rb"PK(?:\x01\x02|\x03\x04|\x05\x06)", data)]
    out = bytearray(data)
    for mark in chance.sample(marks, min(len(marks), chance.choice((1, 3)))):
        at = mark + chance.randrange(4, 46)
        if at + 4 <= len(out):
            struct.pack_into("<L", out, at, chance.choice((0, 1, 99, 2**16 - 1, 2**31 - 1, 2**32 - 1)))
    return bytes(out)


def unpacked(data: bytes) -> dict[str, bytes]:
    """A package's parts."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


def packed(parts: dict[str, bytes], double: str = "") -> bytes:
    """A package of these parts, one of them twice if it is named."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as package:
        for name, content in parts.items():
            package.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 1)
            if name == double:
                package.filelist[-1].filename += "~"
                package.NameToInfo.pop(name)
                package.writestr(zipfile.ZipInfo(name), content[: len(content) // 2])
                package.filelist[-2].filename = name
    return out.getvalue()


TEXT: tuple[Mutation, ...] = (
    truncate, flip, insert, delete, duplicate, number, line_ends, recode, surrogates, shuffle,
)  # fmt: skip
"""The first five are for packages as they are, too."""
MARKED: tuple[Mutation, ...] = (nest, attribute, repeat, entities, rearrange, number)
