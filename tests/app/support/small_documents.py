"""Small documents in eight formats with given sentences."""

from __future__ import annotations

import html
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

Lines = Sequence[str]
_CHART = "http://schemas.openxmlformats.org/"


def docx(lines: Lines) -> dict[str, str]:
    body = "".join(f"<w:p><w:r><w:t>{html.escape(line)}</w:t></w:r></w:p>" for line in lines)
    word = f"{_CHART}wordprocessingml/2006/main"
    return {
        "[Content_Types].xml": f'<Types xmlns="{_CHART}package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override '
        'PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_CHART}package/2006/relationships"><Relationship Id="r1" '
        f'Type="{_CHART}officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
        "</Relationships>",
        "word/document.xml": f'<w:document xmlns:w="{word}"><w:body>{body}</w:body></w:document>',
    }


def srt(lines: Lines) -> str:
    times = (
        f"00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900" for n in range(len(lines))
    )
    return "\n".join(
        f"{n}\n{time}\n{line}\n" for n, (time, line) in enumerate(zip(times, lines, strict=True), 1)
    )


def po(lines: Lines) -> str:
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
    escaped = (line.replace("\\", r"\\").replace('"', r"\"") for line in dict.fromkeys(lines))
    return head + "".join(f'\nmsgid "{line}"\nmsgstr ""\n' for line in escaped)


def xliff(lines: Lines) -> str:
    sources = (f"<source>{html.escape(line)}</source>" for line in lines)
    units = "".join(f'<trans-unit id="{n}">{source}</trans-unit>' for n, source in enumerate(sources))
    return (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" '
        'datatype="plaintext" source-language="zh" target-language="en">'
        f"<body>{units}</body></file></xliff>"
    )


def xhtml(lines: Lines) -> str:
    return "<html><body>" + "".join(f"<p>{html.escape(line)}</p>" for line in lines) + "</body></html>"


MAKERS: dict[str, Callable[[Lines], str | dict[str, str]]] = {
    ".txt": "\n".join,
    ".md": "\n\n".join,
    ".html": xhtml,
    ".srt": srt,
    ".po": po,
    ".xliff": xliff,
    ".docx": docx,
    ".htm": xhtml,
}


POOR = "乌鸦张开嘴，肉就掉了下来。"
"""A sentence that is drafted again with a word of the dictionary, as the model does not know the crow."""


def make(folder: Path, documents: Sequence[Lines]) -> list[str]:
    """Write documents with these lines in alternating formats and folders; returns their names."""
    names = []
    for number, lines in enumerate(documents):
        suffix = [*MAKERS][number % len(MAKERS)]
        names.append(f"part{number % 3}/{number:03}{suffix}")
        path = folder / names[-1]
        path.parent.mkdir(parents=True, exist_ok=True)
        content = MAKERS[suffix](lines)
        if isinstance(content, str):
            path.write_text(content, "utf-8")
            continue
        with zipfile.ZipFile(path, "w") as package:
            for name, text in content.items():
                package.writestr(name, text)
    return names


def write_texts(root: Path, texts: Mapping[str, str]) -> Path:
    """Write files with these names (with slashes) and texts; returns the folder."""
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root
