"""The command `anaphora models`."""

from __future__ import annotations

import pytest
from small_model import save_small_model

from anaphora.cli import models as command
from anaphora.cli.models import models
from anaphora.core.language_pair import LanguagePair
from anaphora.engine.model_files import preferred_model
from anaphora.features.downloads.catalogue import OfferedFile, OfferedModel, to_text
from anaphora.main import main
from anaphora.system.locations import models_folder


@pytest.fixture
def offered(tiny, tmp_path, monkeypatch) -> None:
    """Two small models are available."""
    save_small_model(tmp_path / "given", ["账本保存每个交易。", "The ledger keeps it."])
    known = [tiny, OfferedModel("en-zh", LanguagePair("en", "zh"))]
    shipped = tmp_path / "offered.json"
    shipped.write_text(to_text(known), "utf-8")
    monkeypatch.setattr(command, "offered_models", lambda: shipped)


@pytest.mark.slow
@pytest.mark.usefixtures("offered")
def test_models_are_downloaded_listed_and_removed(server, transport, tmp_path, capsys):
    assert models(["get", "zh-en", "--for-new"], transport) == 0
    said = capsys.readouterr()
    assert "zh-en, size unknown, MPL 2.0, from 127.0.0.1" in said.out
    assert "is installed in" in said.out and "testing" in said.err
    preferred = preferred_model(models_folder())
    assert preferred is not None and preferred.name == "mozilla zh-en tiny"
    assert main(["models", "import", str(tmp_path / "given")]) == 0
    capsys.readouterr()
    before = len(server.requests)
    assert main(["models", "list"]) == 0
    out = capsys.readouterr().out
    assert "mozilla zh-en tiny" in out and "(new projects)" in out and "\n  given" in out
    assert "\n  en-zh" in out and "size unknown" in out
    assert len(server.requests) == before, "listing sends no request"
    assert main(["models", "remove", "given"]) == 0 and main(["models", "remove", "given"]) == 1
    assert "The model given is not installed. Installed: mozilla zh-en tiny." in capsys.readouterr().err


def test_shipped_models_are_listed(capsys):
    assert main(["models", "list"]) == 0
    out = capsys.readouterr().out
    assert "\n  zh-en base" in out and "50 MB, MPL 2.0, FLORES-200+ BLEU 29" in out


def test_an_unavailable_model_is_reported(capsys):
    assert main(["models", "get", "xx-yy"]) == 1
    assert "No model named xx-yy is available." in capsys.readouterr().err


def test_removing_an_unknown_model_is_reported(capsys):
    assert models(["remove", "ours"]) == 1
    assert "The model ours is not installed. Installed: –." in capsys.readouterr().err


def test_a_model_is_found_by_its_pair_or_its_name(transport, monkeypatch, capsys) -> None:
    files = (OfferedFile("model", "model", 50_400_000, "0" * 64),)
    offers = (
        OfferedModel("fr-en", LanguagePair("fr", "en")),
        OfferedModel("zh-en tiny", LanguagePair("zh", "en"), files, "tiny"),
        OfferedModel("zh-en base", LanguagePair("zh", "en"), files, "base", {"BLEU": 29.5}),
    )
    monkeypatch.setattr(command, "read_list", lambda path: offers)
    for name, found in (("zh-en", "zh-en base"), ("zh-en tiny", "zh-en tiny"), ("fr-en", "fr-en")):
        assert models(["get", name], transport) == 1, "the server has no files"
        assert f"Translations {found}: " in capsys.readouterr().out
    for name in ("zh", "nothing", "en-zh"):
        assert models(["get", name], transport) == 1
        assert f"No model named {name} is available" in capsys.readouterr().err
