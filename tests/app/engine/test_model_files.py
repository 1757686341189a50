"""Data about models, read from their folders."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from anaphora.core.installed_model import ModelText
from anaphora.core.language_pair import LanguagePair
from anaphora.engine.model_files import (
    CARD,
    installed_models,
    looks_like_model,
    own_model,
    prefer_model,
    preferred_model,
    remove_model,
    unused_folder,
)
from anaphora.system.locations import default_model


def test_the_shipped_models_card_is_complete() -> None:
    card, licence = own_model(default_model()).texts
    assert card.text == (default_model() / "CARD.md").read_text("utf-8") and card.is_markdown
    assert "MIT License" in licence.text and not licence.is_markdown


def test_a_shortened_card_is_marked(tmp_path: Path) -> None:
    (tmp_path / "CARD.md").write_text("a" * 10**6, "utf-8")
    (card,) = own_model(tmp_path).texts
    assert card.text.startswith("aaaa") and card.text.endswith("a…") and len(card.text) < 10**5


def installed(folder: Path, name: str, **more: object) -> Path:
    """A model's folder with a card."""
    folder.mkdir(parents=True)
    card = {
        "name": name,
        "languages": {"source": "de", "target": "fr"},
        "kind": "Marian",
        **more,
    }
    (folder / CARD).write_text(json.dumps(card), "utf-8")
    return folder


def test_installed_models_are_listed_by_name(tmp_path: Path) -> None:
    assert installed_models(tmp_path / "none") == ()
    (tmp_path / "no-model").mkdir()
    first = installed(tmp_path / "2", "alpha")
    (first / "model.bin").write_bytes(bytes(100))
    (first / "README.txt").write_text("Read me", "utf-8")
    (first / "LICENSE.md").write_text("*Free*", "utf-8")
    installed(tmp_path / "1", "Beta", kind="")
    (installed(tmp_path / "3", "gone") / CARD).write_text("[]", "utf-8")
    broken, alpha, beta = installed_models(tmp_path)
    assert (broken.name, broken.kind, broken.pair, broken.texts) == ("3", "", LanguagePair("", ""), ())
    assert (alpha.name, alpha.kind, alpha.pair) == ("alpha", "Marian", LanguagePair("de", "fr"))
    assert alpha.size == sum(path.stat().st_size for path in first.iterdir())
    assert alpha.texts == (ModelText("*Free*", True),), "the licence comes before other texts"
    assert beta.name == "Beta"
    assert own_model(first) == alpha
    del_card = installed(tmp_path / "4", "x")
    (del_card / CARD).write_text('{"name": "no languages"}', "utf-8")
    assert own_model(del_card).kind == "" and own_model(del_card).name == "4"


@pytest.mark.parametrize(
    ("name", "is_model"),
    [
        ("model.bin", True),
        ("a/model.safetensors", True),
        ("a/b/source.spm", True),
        ("a/b/c/source.spm", False),
        ("model.binary", False),
        ("a/my-model.bin", False),
        ("text.docx", False),
    ],
)
def test_a_model_is_recognised_by_its_file_names(tmp_path: Path, name: str, is_model: bool) -> None:
    inner = tmp_path / "folder" / name
    inner.parent.mkdir(parents=True)
    inner.write_bytes(b"")
    assert looks_like_model(tmp_path / "folder") is is_model
    archive = tmp_path / "archive.ZIP"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("first.txt", "")
        file.writestr(name, "")
    assert looks_like_model(archive) is (is_model or name.endswith(".spm")), "the deepest folder"
    assert not looks_like_model(archive.rename(tmp_path / "archive.docx"))
    for damaged in ("a.zip", "a.argosmodel"):
        (tmp_path / damaged).write_bytes(b"no archive")
        assert looks_like_model(tmp_path / damaged) is damaged.endswith("model"), "its suffix is enough"


def test_a_new_model_gets_an_unused_folder(tmp_path: Path) -> None:
    names = []
    for name in ("Opus: zh→en", "Opus: zh→en", "Opus: zh→en", "x" * 99, "...", ".."):
        place = unused_folder(tmp_path, name)
        place.mkdir()
        names.append(place.name)
    assert names[:4] == ["Opus_zh_en", "Opus_zh_en-2", "Opus_zh_en-3", "x" * 60]
    assert names[4:] == ["model", "model-2"]


def test_new_projects_use_the_preferred_model_while_it_exists(tmp_path: Path) -> None:
    folder = tmp_path / "models" / "deep"
    assert preferred_model(folder) is None
    prefer_model(folder, None)
    prefer_model(folder, None)
    assert preferred_model(folder) is None, "the app's own"
    model = own_model(installed(folder / "m", "M"))
    prefer_model(folder, model)
    chosen = preferred_model(folder)
    assert chosen is not None and (chosen.folder, chosen.name, chosen.pair) == (
        "m",
        "M",
        LanguagePair("de", "fr"),
    )
    remove_model(folder)
    assert folder.is_dir(), "it is not a model's folder"
    remove_model(folder / "m")
    assert not (folder / "m").exists() and preferred_model(folder) is None
