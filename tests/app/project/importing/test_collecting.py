"""Collecting the documents of a project from folders."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from anaphora.core.installed_model import LANGUAGES_SETTING
from anaphora.core.language_pair import LanguagePair
from anaphora.core.project import DocumentInfo
from anaphora.core.reading_choices import ReadingChoices
from anaphora.formats.base.format import FormatError
from anaphora.project.changes import add_documents, change_project, read_additions, remove_document
from anaphora.project.importing.collecting import collect, natural_key, read_collected
from anaphora.project.opening import open_paths
from anaphora.project.store.backups import list_backups


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A typical folder."""
    root = tmp_path / "手册"
    texts = {
        "第10章.md": "# 第十章\n\n账本。\n",
        "第2章.md": "# 第二章\n\n缓存。\n",
        "附录/b.txt": "节点。\n",
        "附录/a.txt": "账本。\n",
        "第2章.en.md": "# Chapter two\n",
        ".hidden.md": "藏。\n",
        ".git/x.md": "藏。\n",
        "node_modules/x/README.md": "藏。\n",
        "~$第2章.docx": "lock",
        "broken.docx": "no package",
        "empty.txt": "\n",
        "picture.png": "x",
        "notes.xyz": "x",
    }
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


def test_natural_order() -> None:
    names = ["b/1.md", "chapter 10.md", "Chapter 2.md", "chapter 2.1.md", "a.md"]
    assert sorted(names, key=natural_key) == [
        "a.md",
        "chapter 2.1.md",
        "Chapter 2.md",
        "chapter 10.md",
        "b/1.md",
    ]
    assert natural_key("第2章.md") < natural_key("第10章.md")


def test_known_files_are_in_natural_order_and_others_are_named(folder: Path) -> None:
    collected = collect([folder])
    names = [name for _, name in collected.files]
    assert names == ["broken.docx", "empty.txt", "第2章.md", "第10章.md", "附录/a.txt", "附录/b.txt"]
    assert (collected.name, collected.other_count) == ("手册", 2)
    assert [name for name, _ in collected.left_out] == ["第2章.en.md"]
    sources, left_out = read_collected(collected)
    assert [source.name for source in sources] == ["第2章.md", "第10章.md", "附录/a.txt", "附录/b.txt"]
    assert [name for name, _ in left_out] == ["第2章.en.md", "broken.docx", "empty.txt"]
    assert all(reason for _, reason in left_out)


def test_settings_in_a_folder_are_not_documents_unless_they_are_chosen(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "tool", "description": "A tool"}', "utf-8")
    (tmp_path / "mkdocs.yml").write_text("site_name: Tool\n", "utf-8")
    (tmp_path / "zh.json").write_text('{"open": "打开"}', "utf-8")
    (tmp_path / "notes.md").write_text("English only.\n", "utf-8")
    sources, left_out = read_collected(collect([tmp_path]))
    assert {source.name for source in sources} == {"zh.json", "notes.md"}
    assert {name for name, reason in left_out if "source language" in reason} == {
        "package.json",
        "mkdocs.yml",
    }
    (chosen,), _ = read_collected(collect([tmp_path / "package.json"]))
    assert chosen.name == "package.json"


def test_a_folder_becomes_a_project_and_opens_again(folder: Path) -> None:
    opened = open_paths([folder])
    assert [info.name for info in opened.documents] == ["第2章.md", "第10章.md", "附录/a.txt", "附录/b.txt"]
    assert opened.document.name == "手册" and len(opened.document) == 6
    assert {name for name, _ in opened.left_out} == {"第2章.en.md", "broken.docx", "empty.txt"}
    assert any(note == "Files of other types skipped: 2." for note in opened.notes)
    place = opened.store.path
    opened.store.close()
    (folder / "第3章.md").write_text("# 第三章\n", "utf-8")
    again = open_paths([folder])
    assert again.store.path == place
    new = dict(again.left_out)
    assert "Add documents" in new["第3章.md"]
    again.store.close()


def test_translations_into_the_projects_language_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "vertrag.md").write_text("# Vertrag\n", "utf-8")
    (tmp_path / "anhang.txt").write_text("Anhang.\n", "utf-8")
    opened = open_paths([tmp_path])
    assert [info.name for info in opened.documents] == ["anhang.txt", "vertrag.md"]
    pair = LanguagePair("de", "zh")
    opened.store.set_setting(LANGUAGES_SETTING, pair.to_text())
    (tmp_path / "vertrag.zh.md").write_text("# 合同\n", "utf-8")
    (tmp_path / "anhang.fr.txt").write_text("Annexe.\n", "utf-8")
    (tmp_path / "neu.de.md").write_text("# Neu\n", "utf-8")
    additions = read_additions([tmp_path], opened.documents, pair)
    opened.store.close()
    assert [source.name for source in additions.sources] == ["neu.de.md"]
    said = dict(additions.left_out)
    assert said["vertrag.zh.md"] == "This is the translation of “vertrag.md”."
    assert said["anhang.fr.txt"] == "This is the translation of “anhang.txt”."
    again = open_paths([tmp_path])
    assert {name: "translation" in reason for name, reason in again.left_out} == {"neu.de.md": False}
    again.store.close()


def test_added_documents_use_the_placeholders_of_their_format(tmp_path: Path) -> None:
    def info(number: str, format_name: str, *patterns: str) -> DocumentInfo:
        choices = ReadingChoices(placeholders=patterns)
        return DocumentInfo(number, f"{number}.x", "", format_name, "", "", 1, 1, "zh", choices)

    new = tmp_path / "new.txt"
    new.write_text("按 @@ok@@ 键。\n", "utf-8")

    def placeholders(*documents: DocumentInfo) -> tuple[str, ...]:
        source = read_additions([new], documents).sources[0]
        assert (source.segments[0].source == "按 {1/} 键。") == bool(source.choices.placeholders)
        return source.choices.placeholders

    of_all, of_text, other = (
        info("1", "docx", "@@ok@@"),
        info("2", "txt", "@@\\w+@@"),
        info("3", "txt", "[0-9]"),
    )
    assert placeholders(of_all) == ("@@ok@@",)
    assert placeholders(of_all, of_text) == ("@@\\w+@@",)
    assert placeholders(of_all, of_text, other) == ()
    assert placeholders() == ()


def test_the_same_file_names_from_several_folders_stay_apart(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "别处" / "第2章.md"
    other.parent.mkdir()
    other.write_text("区块。\n", "utf-8")
    collected = collect([folder / "第2章.md", other])
    assert [name for _, name in collected.files] == ["别处/第2章.md", "手册/第2章.md"]
    again = collect([other], used=["第2章.md"])
    assert [name for _, name in again.files] == ["第2章 (2).md"]


def test_a_circular_link_does_no_harm(folder: Path) -> None:
    (folder / "附录" / "again").symlink_to(folder)
    assert len(collect([folder]).files) == 6


def test_documents_are_added_removed_and_backed_up(folder: Path, tmp_path: Path) -> None:
    opened = open_paths([folder])
    project = opened.store.path
    extra = tmp_path / "extra.txt"
    extra.write_text("世界状态。\n", "utf-8")
    additions = read_additions([extra, folder / "第2章.md"], opened.documents)
    assert [source.name for source in additions.sources] == ["extra.txt"]
    assert additions.left_out == (("手册/第2章.md", "This file is already in the project."),)
    opened.store.close()
    added = change_project(project, folder, partial(add_documents, [extra, folder / "第2章.md"]))
    assert added.left_out == additions.left_out
    assert [info.name for info in added.documents][-1] == "extra.txt" and added.problem is None
    ids = [info.id for info in added.documents]
    added.store.close()
    less = change_project(project, folder, partial(remove_document, ids[0]))
    assert [info.id for info in less.documents] == ids[1:]
    assert len(list_backups(project)) == 1, "the removed document's work stays in a backup"
    less.store.close()
    same = change_project(project, folder, partial(remove_document, "99"))
    assert same.problem is not None and len(same.documents) == 4
    same.store.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX only")
def test_files_outside_the_folder_and_devices_are_not_read(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("秘密。\n", "utf-8")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.txt").write_text("别处。\n", "utf-8")
    (folder / "link.txt").symlink_to(secret)
    (folder / "up.txt").symlink_to("../secret.txt")
    (folder / "folder link").symlink_to(tmp_path / "elsewhere")
    (folder / "loop.txt").symlink_to(folder / "loop.txt")
    (folder / "device.txt").symlink_to("/dev/zero")
    (folder / "inside.txt").symlink_to(folder / "第2章.md")
    os.mkfifo(folder / "pipe.txt")
    collected = collect([folder])
    found = [name for _, name in collected.files]
    assert "inside.txt" in found
    assert not {"link.txt", "up.txt", "loop.txt", "device.txt", "pipe.txt", "folder link/x.txt"} & set(found)
    why = dict(collected.left_out)
    assert "outside the folder" in why["link.txt"] and "outside the folder" in why["up.txt"]
    assert "ordinary file" in why["pipe.txt"] and "ordinary file" in why["device.txt"]
    assert "broken link" in why["loop.txt"]
    with pytest.raises(FormatError, match="ordinary file"):
        open_paths([folder / "pipe.txt"])
