"""The interface in English and Chinese: translations are complete, up to date and displayed."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale, QSettings, QTranslator
from PySide6.QtWidgets import QFileDialog, QMenu

import anaphora
import anaphora_nmt
from anaphora.core.errors import AnaphoraError, Message
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment
from anaphora.core.text import has_han
from anaphora.editor.appearance.theme import Theme
from anaphora.features.comments.view.panel import NotesPanel
from anaphora.features.documents.feature import Documents
from anaphora.formats.registry import dialog_filters, read, supported_extensions
from anaphora.system import interface_language as languages
from anaphora.system.interface_language import (
    UiLanguage,
    duration,
    install_language,
)
from anaphora.system.locations import guide
from anaphora.system.messages import CONTEXT, describe_error, localise_place
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.memory.registry import MEMORIES
from anaphora_nmt.models.bundle import load_bundle

I18N = Path(str(files("anaphora_resources").joinpath("i18n")))
SOURCES = Path(anaphora.__file__).parent
GOLDEN = Path(__file__).parents[2] / "golden"
WITHOUT_CHINESE = {"{0} MB", "&CPU", "&GPU (CUDA)", "{message} {reasons}"}
WITHOUT_CHINESE |= {"Up", "Down", "Left", "Right", ": ", ", "}
FILES = ("anaphora", "problems", "toolkit")
LOADED = ("models", "imported", "memory", "text")  # the engine's packages that read models


@pytest.fixture(autouse=True)
def english_again(qapp) -> Iterator[None]:
    """Restore English for later tests."""
    yield
    install_language(qapp, UiLanguage.ENGLISH)


def messages(*names: str) -> dict[tuple[str, str], ElementTree.Element]:
    """(context, source) → the translation's element, of the named files or of all."""
    roots = [ElementTree.parse(I18N / f"{name}_zh_CN.ts").getroot() for name in names or FILES]
    return {
        (context.findtext("name", ""), message.findtext("source", "")): translation
        for root in roots
        for context in root.iter("context")
        for message in context.iter("message")
        if (translation := message.find("translation")) is not None
    }


def modules_with(pattern: str) -> Iterator[tuple[Path, ast.Module]]:
    """The parsed modules that match a pattern, because parsing all modules takes seconds."""
    for path in sorted(Path(anaphora.__file__).parent.rglob("*.py")):
        if re.search(pattern, source := path.read_text("utf-8")):
            yield path, ast.parse(source)


def strings_in_code() -> Iterator[tuple[str, str, str]]:
    """(file, context, text) of all arguments of tr() and translate() in the code."""
    for path, tree in modules_with(r"\b(?:tr|translate)\s*\("):
        for cls in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
            for call in calls_of(cls, "tr"):
                yield path.name, cls.name, text_of(call.args[0])
        for call in calls_of(tree, "translate"):
            # A translator of sentences has such a method, too; its document has no name here.
            named = [each.value for each in call.args if isinstance(each, ast.Constant)]
            if len(call.args) == len(named) == 2 and named[0]:
                yield path.name, text_of(call.args[0]), text_of(call.args[1])


def error_messages_in_code() -> Iterator[tuple[str, str]]:
    """(file, text) of every message of the app's errors, templates with their fields."""
    errors = {cls.__name__ for cls in (AnaphoraError, *subclasses(AnaphoraError))}
    for path, tree in modules_with(rf"\b(?:Message|elements|{'|'.join(sorted(errors))})\s*\("):
        body: list[Any] = tree.body
        constants = {node.targets[0].id: node.value for node in body if is_constant(node)}
        own = {
            id(call)
            for cls in ast.walk(tree)
            if isinstance(cls, ast.ClassDef) and cls.name in errors
            for call in calls_of(cls, "__init__")
        }
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            name = getattr(call.func, "id", "") or getattr(call.func, "attr", "")
            is_error = name in errors or (id(call) in own and path.name != "errors.py")
            texts = call.args[:1] if name == "Message" else call.args[:2] if is_error else []
            texts = call.args[-1:] if name == "elements" else texts  # of `xml_stream`: its refusal
            for argument in texts:
                argument = constants.get(getattr(argument, "id", ""), argument)
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield path.name, argument.value
                assert not (is_error and isinstance(argument, ast.JoinedStr)), (path.name, argument.lineno)


def engine_messages() -> Iterator[tuple[str, str]]:
    """(file, text) of the engine's messages about unusable models."""
    engine = Path(anaphora_nmt.__file__).parent
    for path in (
        engine / "api.py",
        *(one for part in LOADED for one in sorted((engine / part).glob("*.py"))),
    ):
        for call in calls_of(ast.parse(path.read_text("utf-8")), "ModelFileError"):
            yield path.name, text_of(call.args[0])
    fitting = engine / "pipeline" / "fitting" / "memory_fit.py"
    for call in calls_of(ast.parse(fitting.read_text("utf-8")), "TooLittleTextError"):
        yield fitting.name, text_of(call.args[0])


def memory_texts() -> Iterator[tuple[str, str]]:
    """(memory or file, text) of the engine's names of memories and their sections."""
    for name, memory in MEMORIES.items():
        yield name, memory.title
    for path in sorted((Path(anaphora_nmt.__file__).parent / "memory").glob("*.py")):
        for call in calls_of(ast.parse(path.read_text("utf-8")), "MemorySection"):
            yield path.name, text_of(call.args[1])
    yield "api.py", "Context sentences"


def format_texts() -> Iterator[tuple[str, str]]:
    """(format, text) of the formats' names in file dialogs."""
    for label, extensions in dialog_filters():
        yield extensions[0], label


def subclasses(cls: type) -> Iterator[type]:
    for module in pkgutil.walk_packages(anaphora.__path__, "anaphora."):
        importlib.import_module(module.name)
    each: type
    for each in cls.__subclasses__():
        yield each
        yield from subclasses(each)


def is_constant(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)


def calls_of(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called == name:
                yield node


def text_of(node: ast.expr) -> str:
    assert isinstance(node, ast.Constant) and isinstance(node.value, str), ast.dump(node)
    return node.value


@pytest.mark.slow
def test_exactly_the_strings_in_the_code_have_translations() -> None:
    known = messages("anaphora")
    in_code = {(context, text): file for file, context, text in strings_in_code()}
    assert len(in_code) > 200
    assert {key: file for key, file in in_code.items() if key not in known} == {}, "run lupdate"
    assert set(known) - set(in_code) == set(), "no longer in the code"


@pytest.mark.slow
def test_exactly_the_error_messages_have_translations() -> None:
    known = {key for key in messages("problems") if key[0] == CONTEXT}
    assert len(list(engine_messages())) > 6
    in_code = {
        (CONTEXT, text): file
        for file, text in chain(error_messages_in_code(), engine_messages(), memory_texts(), format_texts())
    }
    assert len(in_code) > 150
    assert {key: file for key, file in in_code.items() if key not in known} == {}, (
        "add it to problems_zh_CN.ts"
    )
    assert set(known) - set(in_code) == set(), "no longer in the code"


@pytest.mark.slow
def test_the_places_of_texts_in_real_files_are_chinese(qapp) -> None:
    """Names of sheets, cells and keys of the file stay as they are."""
    folders = [GOLDEN / name for name in ("ass", "docx", "epub", "html", "markdown", "odt", "pptx", "xlsx")]
    paths = [
        path for folder in folders for path in folder.rglob("*") if path.suffix in supported_extensions()
    ]
    segments = [segment for path in paths for segment in read(path).segments]
    found = {note.text for each in segments for note in each.notes if note.kind is NoteKind.PLACE}
    assert len(found) > 40
    install_language(qapp, UiLanguage.CHINESE)
    assert {text for text in found if re.search(r"[a-z]{3}", re.sub("“.*”", "", localise_place(text)))} <= {
        "title", "description", "summary", "label"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("Header", "页眉"),
        ("Slide 3, hidden: Alternative text of a picture", "第 3 张幻灯片，隐藏：图片的替代文字"),
        ("Sheet “a, b: c2”, cell B4", "工作表“a, b: c2”，单元格 B4"),
        ("Sheet “数据”, comment on C12", "工作表“数据”，C12 的批注"),
        (
            "Name of a sheet: at most 31 characters, must not contain []:*?/\\",
            "工作表名称：最多 31 个字符，不能含有 []:*?/\\",
        ),
        ("Number format of a list: %1% stands for the number", "列表的编号格式：%1% 代表编号"),
        ("{key}", "{key}"),
    ],
)
def test_a_place_is_shown_in_the_windows_language(qapp, english: str, chinese: str) -> None:
    assert localise_place(english) == english
    install_language(qapp, UiLanguage.CHINESE)
    assert localise_place(english) == chinese


def test_the_notes_of_a_segment_name_its_place_in_chinese(qapp, qtbot) -> None:
    install_language(qapp, UiLanguage.CHINESE)
    panel = NotesPanel(Theme(qapp))
    qtbot.addWidget(panel)
    panel.show_segment(Segment("1", "公司", notes=(Note(NoteKind.PLACE, "Slide 3, notes"),)))
    assert "第 3 张幻灯片，备注" in panel.text.text()


def test_the_places_with_translations_are_in_the_formats() -> None:
    code = "".join(path.read_text("utf-8") for path in (SOURCES / "formats").rglob("*.py"))
    code += (SOURCES / "core" / "notes.py").read_text("utf-8")
    texts = [source for context, source in messages("problems") if context == "Places"]
    parts = {part.removesuffix(" of the page") for text in texts for part in re.split(r"%?\{0\}%?", text)}
    assert {part for part in parts if part.replace("\\", "\\\\").lower() not in code.lower()} == set()


def test_every_translation_is_finished_with_its_fields_and_mnemonics() -> None:
    for (context, source), translation in messages().items():
        where = f"{context}: {source}"
        text = translation.text or ""
        assert translation.get("type") is None and text.strip(), where
        assert has_han(text) or source in WITHOUT_CHINESE, where
        assert Counter(re.findall(r"\{\w+\}", text)) == Counter(re.findall(r"\{\w+\}", source)), where
        assert ("&" in text) == ("&" in source), where
        assert source.endswith("…") == text.endswith("…"), where


def listed_terms() -> Iterator[list[str]]:
    """Rows of interface_terms.tsv: a term in English and Chinese, and synonyms that are not used in each."""
    for row in Path(__file__).with_name("interface_terms.tsv").read_text("utf-8").splitlines()[1:]:
        yield f"{row}\t\t\t".split("\t")[:4]


def test_strings_use_the_listed_terms() -> None:
    """Each term of interface_terms.tsv has one word in each language; synonyms are not used."""
    texts = [
        (re.sub(r"\{\w+\}|--\w+|&", "", source), element.text or "")
        for (_, source), element in messages("anaphora", "problems").items()
    ]
    for english, chinese, other_english, other_chinese in listed_terms():
        wanted = re.compile(rf"\b{english}s?\b", re.IGNORECASE)
        for source, translation in texts:
            assert not wanted.search(source) or any(map(translation.count, chinese.split("/"))), (
                english,
                source,
            )
            for other in filter(None, other_english.split(";")):
                assert not re.search(rf"\b{other}\b", source, re.IGNORECASE), (english, source)
            for other in filter(None, other_chinese.split(";")):
                assert not re.search(other, translation), (chinese, translation)


@pytest.mark.parametrize(("language", "column", "pattern"), [("en", 2, r"\b{}\b"), ("zh_CN", 3, "{}")])
def test_the_guide_uses_the_listed_terms(language: str, column: int, pattern: str) -> None:
    """The guide does not use the synonyms of interface_terms.tsv; commands and options stay as they are."""
    others = [other for row in listed_terms() for other in row[column].split(";") if other]
    for page in guide(language).glob("*.md"):
        text = re.sub(
            r"`[^`]*`|\{=?\w+\}|\]\([^)]*\)|^ {8}.*$", "", page.read_text("utf-8"), flags=re.MULTILINE
        )
        for other in others:
            assert not re.search(pattern.format(other), text, re.IGNORECASE), (page.name, other)


def test_the_compiled_file_is_up_to_date(qapp) -> None:
    for name in FILES:
        translator = QTranslator()
        assert translator.load(f"{name}_zh_CN", str(I18N))
        for (context, source), translation in messages(name).items():
            assert translator.translate(context, source) == translation.text, "run lrelease"


@pytest.mark.parametrize("language", [UiLanguage.ENGLISH, UiLanguage.CHINESE])
def test_mnemonics_are_unique_in_each_menu(make_window, qapp, tmp_path, language: UiLanguage) -> None:
    """A mnemonic of two entries would only move between them."""
    bar = window_in(language, make_window, tmp_path).menuBar()
    for menu in (bar, *bar.findChildren(QMenu)):
        keys = [m[1].lower() for a in menu.actions() if (m := re.search(r"&(\w)", a.text()))]
        assert [key for key, count in Counter(keys).items() if count > 1] == []


def window_in(language: UiLanguage, make_window, tmp_path, *args):
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    settings.setValue("language", language.value)
    settings.sync()
    return make_window(*args)


def chinese(make_window, tmp_path, *args):
    return window_in(UiLanguage.CHINESE, make_window, tmp_path, *args)


def test_a_chinese_window_is_completely_chinese(qtbot, make_window, document, tmp_path) -> None:
    window = chinese(make_window, tmp_path, None, document)
    titles = [action.text() for action in window.menuBar().actions()]
    assert titles[0] == "文档(&D)" and all(map(has_han, titles))
    for menu in (action.menu() for action in window.menuBar().actions()):
        texts = [action.text() for action in menu.actions() if not action.isSeparator()]
        assert all(map(has_han, texts)), texts
    docks = [toggle.text() for toggle in window.docks.toggles()]
    assert docks[:4] == ["文档", "当前句段", "术语", "相关搜索"]
    assert window.model.headerData(1, window.table.horizontalHeader().orientation()) == "中文"
    assert "&" not in window.actions_by_name["open"].toolTip()
    assert window.actions_by_name["open"].toolTip().startswith("打开  ")
    window.of(Documents).files.choose_document()
    qtbot.waitUntil(lambda: window.findChild(QFileDialog) is not None, timeout=20000)
    assert all(map(has_han, window.findChild(QFileDialog).nameFilters()))


def test_errors_of_files_are_reported_in_chinese(make_window, tmp_path, qtbot) -> None:
    window = chinese(make_window, tmp_path)
    broken = tmp_path / "坏.docx"
    broken.write_bytes(b"PK no package at all")
    with qtbot.waitSignal(window.controller.failed, timeout=30000) as failed:
        window.opener.open(broken)
    _, message, advice = failed.args
    assert message == "无法打开“坏.docx”。此文件不是完整的 ZIP 压缩包。"
    assert advice == "文件可能已损坏或不完整，请重新获取一份，或用文字处理软件修复。"


def test_the_log_contains_the_english_error(qapp) -> None:
    reasons = Message("“{name}” has been open in this window since {when}.", name="a", when="9:00")
    error = AnaphoraError(
        Message("{message} {reasons}", message=Message("The file"), reasons=reasons),
        "Install Anaphora again.",
    )
    english = "The file “a” has been open in this window since 9:00. Install Anaphora again."
    assert describe_error(error) == str(error) == english
    install_language(qapp, UiLanguage.CHINESE)
    assert describe_error(error) == "文件“a”已于 9:00 在此窗口中打开。请重新安装 Anaphora。"


def test_errors_of_models_are_reported_in_chinese(qapp, tmp_path) -> None:
    install_language(qapp, UiLanguage.CHINESE)
    with pytest.raises(ModelFileError) as missing:
        load_bundle(tmp_path / "{model}")
    assert describe_error(missing.value).startswith(f"无法加载“{tmp_path}/{{model}}”中的模型")
    damaged = ModelFileError("A vocabulary is damaged ({reason}). Install the model again.", reason="cut off")
    whole = ModelFileError("The model in {folder} cannot be loaded. {reason}", folder="m", reason=damaged)
    assert str(whole) == (
        "The model in m cannot be loaded. A vocabulary is damaged (cut off). Install the model again."
    )
    assert describe_error(whole) == "无法加载“m”中的模型。词表已损坏（cut off）。请重新安装模型。"
    assert describe_error(ModelFileError("something new")) == "something new"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["zh-Hans-CN", "en-US"], UiLanguage.CHINESE),
        (["zh_CN"], UiLanguage.CHINESE),
        (["en-US", "zh-CN"], UiLanguage.ENGLISH),
        (["de-DE"], UiLanguage.ENGLISH),
        (["C"], UiLanguage.ENGLISH),
        ([], UiLanguage.ENGLISH),
    ],
)
def test_the_desktops_first_language_counts(monkeypatch, names, expected) -> None:
    class Desktop:
        def uiLanguages(self) -> list[str]:  # noqa: N802
            return names

    class Locale(QLocale):
        @staticmethod
        def system() -> Any:
            return Desktop()

    monkeypatch.setattr(languages, "QLocale", Locale)
    assert languages.system_language() is expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0, "1 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (3569, "59 min"),
        (3571, "1 h 0 min"),
        (7169, "1 h 59 min"),
        (7171, "2 h 0 min"),  # never 1 h 60 min
    ],
)
def test_times_are_rounded_for_display(qapp, seconds: float, expected: str) -> None:
    assert duration(seconds) == expected
