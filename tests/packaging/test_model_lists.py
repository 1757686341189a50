"""The shipped list of models is valid, and a command updates it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from anaphora.core.language_pair import LanguagePair
from anaphora.features.downloads.catalogue import OfferedFile, OfferedModel, best_for, read_list
from anaphora.system.locations import offered_models

SCRIPT = Path(__file__).parents[2] / "packaging" / "model_lists.py"


def test_the_shipped_list_has_mozillas_chinese_model() -> None:
    known = read_list(offered_models())
    best = best_for(known, LanguagePair())
    assert best is not None and best.name == "zh-en base" and best.size == 49_932_172
    assert all(each.address.startswith("https://") for offer in known for each in offer.files)
    assert len({offer.name for offer in known}) == len(known)


def test_the_list_is_updated_from_the_registry() -> None:
    spec = importlib.util.spec_from_file_location("model_lists", SCRIPT)
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)

    def offer(name: str, *files: OfferedFile) -> OfferedModel:
        return OfferedModel(name, LanguagePair(), files)

    known = OfferedFile("a", "https://example.org/a", 9, "1" * 64, size=8)
    offered = OfferedFile("a", "https://example.org/a", 9, "1" * 64)
    other = OfferedFile("a", "https://example.org/a", 9, "2" * 64)
    before = (offer("old"), offer("same", known), offer("other", known))
    found = script.renew_offers(before, (offer("same", offered), offer("other", other)))
    assert found == [offer("same", known), offer("other", other)]
