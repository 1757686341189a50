"""The command `anaphora models`."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from small_model import save_small_model

from anaphora.core.language_pair import LanguagePair
from anaphora.main import main
from anaphora.model_downloads.catalogue import ListError, Offer, OfferedFile
from anaphora.model_downloads.command import _Command, _described, _Progress, models
from anaphora.model_downloads.control import Stage, Step
from anaphora.model_downloads.snapshot import Lists
from anaphora.models.files import preferred_model
from anaphora.store.locations import models_folder


@pytest.fixture
def own_list(server, tmp_path) -> str:
    """Address of a list with a small model."""
    import hashlib

    given = save_small_model(tmp_path / "given", ["账本保存每个交易。", "The ledger keeps it."])
    files = []
    for path in given.iterdir():
        server.files[path.name] = content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        files.append({"name": path.name, "address": path.name, "size": len(content), "sha256": digest})
    model = {"name": "ours", "pair": ["zh", "en"], "licence": "ours", "files": files}
    forbidden = {**model, "name": "theirs", "licence": "cc-by-nc-4.0"}
    server.files["models.json"] = json.dumps({"models": [model, forbidden]}).encode()
    return server.root


@pytest.mark.slow
def test_models_are_got_listed_imported_and_removed(own_list, server, transport, tmp_path, capsys):
    assert models(["get", "ours", "--list", own_list, "--for-new"], transport) == 0
    said = capsys.readouterr()
    assert "list1/ours: zh-en" in said.out and "from 127.0.0.1" in said.out and "is installed in" in said.out
    assert "trying it out" in said.err
    preferred = preferred_model(models_folder())
    assert preferred is not None and preferred.name == "list1 ours"
    assert main(["models", "import", str(tmp_path / "given")]) == 0
    capsys.readouterr()
    before = len(server.requests)
    assert main(["models", "list"]) == 0
    out = capsys.readouterr().out
    assert "list1 ours" in out and "(new projects)" in out and "\n  given" in out
    assert "mozilla/zh-en base" in out and "50 MB, MPL 2.0, FLORES-200+ BLEU 29" in out
    assert "nllb/distilled-600M" in out and "CC BY-NC 4.0" in out
    assert len(server.requests) == before, "listing asks nobody"
    assert main(["models", "remove", "given"]) == 0 and main(["models", "remove", "given"]) == 1
    assert "There is no model given here. There are: list1 ours." in capsys.readouterr().err


def test_a_licence_that_forbids_paid_work_has_to_be_accepted(own_list, transport, capsys):
    assert models(["get", "list1/theirs", "--list", own_list], transport) == 1
    said = capsys.readouterr().err
    assert "does not allow paid work. If that is right for you, add --accept cc-by-nc-4.0." in said
    assert not [*Path(models_folder()).glob("*")]


def test_what_is_not_offered_is_said(capsys):
    assert main(["models", "get", "xx-yy"]) == 1
    assert "No model xx-yy is offered." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Step(Stage.DOWNLOADING, 5_400_000, 20_000_000, 1_000_000), "5 MB of 20 MB, 15 s left"),
        (Step(Stage.DOWNLOADING, 5_400_000, 20_000_000), "5 MB of 20 MB"),
        (Step(Stage.INSTALLING), "trying it out"),
    ],
)
def test_how_far_it_is_stands_in_one_line(step: Step, said: str, capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    _Progress()(step)
    assert capsys.readouterr() == ("", f"\r{said:60}")
    monkeypatch.setenv("COLUMNS", "31")
    _Progress()(step)
    assert capsys.readouterr().err == f"\r{said:30}"


def test_who_stops_it_is_told_that_it_goes_on(capsys, monkeypatch) -> None:
    def stopped(self: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Lists, "read", stopped)
    assert models(["list"]) == 130
    assert "The same command goes on where it was." in capsys.readouterr().err


def test_what_is_not_here_cannot_be_removed(capsys):
    assert models(["remove", "ours"]) == 1
    assert "There is no model ours here. There are: –." in capsys.readouterr().err


def test_a_model_is_found_by_its_id_its_pair_or_its_name() -> None:
    files = (OfferedFile("model", "model", 50_400_000, "0" * 64),)
    offers = (
        Offer("c", "a/one", LanguagePair("fr", "en")),
        Offer("a", "one", LanguagePair("de", "en"), "mpl-2.0", files),
        Offer("b", "small", LanguagePair("zh", "en"), "mpl-2.0", files, metrics={"BLEU": 29.5}),
        Offer("b", "many", licence="mpl-2.0", files=files),
    )
    lists: Any = SimpleNamespace(read=lambda: SimpleNamespace(offers=offers))
    transport: Any = None
    command = _Command(lists, Path(), transport)
    names = ("a/one", "one", "zh-en", "fr-en", "many", "c/a/one")
    found = ("a/one", "a/one", "b/small", "c/a/one", "b/many", "c/a/one")
    assert tuple(command._find(name).id for name in names) == found
    for name in ("zh", "nothing", "en-zh"):
        with pytest.raises(ListError, match=f"No model {name} is offered"):
            command._find(name)
    assert [_described(offer) for offer in offers] == [
        "fr-en, size: to be asked, licence: to be asked",
        "de-en, 50 MB, MPL 2.0",
        "zh-en, 50 MB, MPL 2.0, BLEU 29.5",
        "many languages, 50 MB, MPL 2.0",
    ]
