"""Which files the program opens, as Linux desktops, Windows and macOS are told: the registry's formats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape

from installers import place

_OOXML = "application/vnd.openxmlformats-officedocument."
_MEDIA_TYPES = {
    "text/plain": (".txt", ".text"),
    "text/markdown": (".md", ".markdown"),
    "text/mdx": (".mdx",),
    _OOXML + "wordprocessingml.document": (".docx",),
    _OOXML + "wordprocessingml.template": (".dotx",),
    "application/vnd.ms-word.document.macroEnabled.12": (".docm",),
    "application/vnd.ms-word.template.macroEnabled.12": (".dotm",),
    "application/vnd.oasis.opendocument.text": (".odt",),
    "application/vnd.oasis.opendocument.text-template": (".ott",),
    _OOXML + "presentationml.presentation": (".pptx",),
    _OOXML + "presentationml.slideshow": (".ppsx",),
    _OOXML + "presentationml.template": (".potx",),
    "application/vnd.ms-powerpoint.presentation.macroEnabled.12": (".pptm",),
    "application/vnd.ms-powerpoint.slideshow.macroEnabled.12": (".ppsm",),
    "application/vnd.ms-powerpoint.template.macroEnabled.12": (".potm",),
    _OOXML + "spreadsheetml.sheet": (".xlsx",),
    _OOXML + "spreadsheetml.template": (".xltx",),
    "application/vnd.ms-excel.sheet.macroEnabled.12": (".xlsm",),
    "application/vnd.ms-excel.template.macroEnabled.12": (".xltm",),
    "text/html": (".html", ".htm"),
    "application/xhtml+xml": (".xhtml",),
    "application/epub+zip": (".epub",),
    "text/x-gettext-translation": (".po",),
    "text/x-gettext-translation-template": (".pot",),
    "application/x-subrip": (".srt",),
    "text/x-ssa": (".ass", ".ssa"),
    "text/vtt": (".vtt",),
    "text/csv": (".csv",),
    "text/tab-separated-values": (".tsv",),
    "application/xliff+xml": (".xlf", ".xliff"),
    "application/x-sdlxliff+xml": (".sdlxliff",),
    "application/x-mqxliff+xml": (".mqxliff",),
    "application/x-mxliff+xml": (".mxliff",),
    "application/x-tmx+xml": (".tmx",),
    "application/json": (".json",),
    "application/x-arb+json": (".arb",),
    "application/yaml": (".yml", ".yaml"),
    "application/x-java-properties": (".properties",),
    "application/x-resx+xml": (".resx", ".resw"),
    "application/xml": (".xml",),
    "application/x-apple-strings": (".strings",),
    "application/x-apple-stringsdict+xml": (".stringsdict",),
    "application/x-xcstrings+json": (".xcstrings",),
    "text/vnd.trolltech.linguist": (".ts",),
    "application/rtf": (".rtf",),
    "application/msword": (".doc",),
    "application/vnd.ms-powerpoint": (".ppt",),
    "application/vnd.ms-excel": (".xls",),
    "application/vnd.oasis.opendocument.presentation": (".odp",),
    "application/vnd.oasis.opendocument.spreadsheet": (".ods",),
}
"""Registered names, those of freedesktop.org's database, or names of our own (`_DESCRIBED`)."""
_UNNAMED = "application/x-anaphora-"
"""Before a suffix that is not listed above: desktops show it under its format's own label."""
_DESCRIBED = {
    "application/x-anaphora-project": ("Anaphora project", "Anaphora 项目", "application/vnd.sqlite3"),
    "application/xliff+xml": ("XLIFF translation file", "XLIFF 翻译文件", "application/xml"),
    "application/x-sdlxliff+xml": (
        "Trados Studio translation file",
        "Trados Studio 翻译文件",
        "application/xliff+xml",
    ),
    "application/x-mqxliff+xml": ("memoQ translation file", "memoQ 翻译文件", "application/xliff+xml"),
    "application/x-mxliff+xml": ("Phrase translation file", "Phrase 翻译文件", "application/xliff+xml"),
    "application/x-tmx+xml": ("translation memory", "翻译记忆", "application/xml"),
    "application/x-arb+json": ("ARB messages", "ARB 消息", "application/json"),
    "application/x-resx+xml": (".NET resources", ".NET 资源", "application/xml"),
    "application/x-xcstrings+json": ("Xcode string catalogue", "Xcode 字符串目录", "application/json"),
    "text/mdx": ("Markdown with components", "带组件的 Markdown", "text/markdown"),
    "application/x-java-properties": ("Java properties", "Java 属性", "text/plain"),
    "application/x-apple-strings": ("Apple strings", "Apple 字符串", "text/plain"),
    "application/x-apple-stringsdict+xml": ("Apple plural strings", "Apple 复数字符串", "application/xml"),
}
"""What desktops' database does not know: what it is called, in Chinese, and what it is a kind of."""
_WEIGHTS = {".mdx": 60}
"""Suffixes that the desktops' database gives to something else (`.mdx`: memories of a game console)."""
_OLDER = {"application/yaml": "application/x-yaml"}
"""What databases called it before it was registered."""


@dataclass(frozen=True)
class Document:
    """A kind of files; `owned`: no other program opens it."""

    media_type: str
    extensions: tuple[str, ...]
    name: str
    owned: bool = False


def documents() -> tuple[Document, ...]:
    """All kinds that the program opens: the project first, then the registry's formats in their order."""
    assert place.ROOT  # its tree comes first
    from anaphora.formats.registry import FORMATS

    types = {extension: kind for kind, extensions in _MEDIA_TYPES.items() for extension in extensions}
    project = Document("application/x-anaphora-project", (".anaphora",), "Anaphora project", owned=True)
    found = {project.media_type: project}
    for each in FORMATS:
        for extension in each.extensions:
            kind = types.get(extension, _UNNAMED + extension.removeprefix("."))
            before = found[kind].extensions if kind in found else ()
            name = _DESCRIBED[kind][0] if kind in _DESCRIBED else each.label
            found[kind] = Document(kind, (*before, extension), name)
    return tuple(found.values())


def desktop_types(kinds: Iterable[Document]) -> str:
    """The value of `MimeType` in a desktop file."""
    names = (name for each in kinds for name in (each.media_type, _OLDER.get(each.media_type)) if name)
    return "".join(f"{name};" for name in names)


def mime_database(kinds: Iterable[Document]) -> str:
    """Those kinds that not every desktop knows, for the shared MIME database."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append('<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">')
    for each in kinds:
        if each.media_type in _DESCRIBED:
            name, chinese, parent = _DESCRIBED[each.media_type]
        elif each.media_type.startswith(_UNNAMED):
            name, chinese, parent = each.name, each.name, "application/octet-stream"
        else:
            continue
        lines.append(f'  <mime-type type="{each.media_type}">')
        lines.append(f"    <comment>{escape(name)}</comment>")
        lines.append(f'    <comment xml:lang="zh_CN">{escape(chinese)}</comment>')
        if each.owned:
            lines.append('    <icon name="anaphora"/>')
        lines.append(f'    <sub-class-of type="{parent}"/>')
        for extension in each.extensions:
            weight = f' weight="{_WEIGHTS[extension]}"' if extension in _WEIGHTS else ""
            lines.append(f'    <glob{weight} pattern="*{extension}"/>')
        lines.append("  </mime-type>")
    return "\n".join([*lines, "</mime-info>", ""])


def windows_registry(kinds: Iterable[Document]) -> str:
    """Lines of Inno Setup's section Registry: projects are Anaphora's, all others offer it in “Open with”."""
    lines = []
    classes = 'Root: HKA; Subkey: "Software\\Classes\\'
    for each in kinds:
        identity = f"Anaphora{each.extensions[0]}"
        lines.append(
            f'{classes}{identity}"; ValueType: string; ValueData: "{each.name}"; Flags: uninsdeletekey'
        )
        lines.append(
            f'{classes}{identity}\\DefaultIcon"; ValueType: string; ValueData: "{{app}}\\anaphora.exe,0"'
        )
        command = '"""{app}\\anaphora.exe"" ""%1"""'
        lines.append(f'{classes}{identity}\\shell\\open\\command"; ValueType: string; ValueData: {command}')
        for extension in each.extensions:
            lines.append(
                f'{classes}{extension}\\OpenWithProgids"; ValueType: string; ValueName: "{identity}"; '
                'ValueData: ""; Flags: uninsdeletevalue'
            )
            lines.append(
                f'{classes}Applications\\anaphora.exe\\SupportedTypes"; ValueType: string; '
                f'ValueName: "{extension}"; ValueData: ""; Flags: uninsdeletekey'
            )
            if each.owned:
                value = f'ValueType: string; ValueData: "{identity}"; Flags: uninsdeletevalue'
                lines.append(f'{classes}{extension}"; {value}')
    return "\n".join([*lines, ""])


def document_types(kinds: Iterable[Document]) -> list[dict[str, object]]:
    """`CFBundleDocumentTypes` of macOS's Info.plist."""
    return [
        {
            "CFBundleTypeName": each.name,
            "CFBundleTypeRole": "Editor",
            "LSHandlerRank": "Owner" if each.owned else "Alternate",
            "CFBundleTypeExtensions": [extension.removeprefix(".") for extension in each.extensions],
        }
        for each in kinds
    ]
