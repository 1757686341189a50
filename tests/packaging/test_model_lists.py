"""The list of models that ships: true to its form, and renewed by a command."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from anaphora.core.language_pair import LanguagePair
from anaphora.model_downloads.catalogue import Offer, OfferedFile, best_for
from anaphora.model_downloads.errors import DownloadError
from anaphora.model_downloads.snapshot import read_list, to_text
from anaphora.model_downloads.sources.registry import SOURCES
from anaphora.shipped import offered_models

SCRIPT = Path(__file__).parents[2] / "packaging" / "model_lists.py"


def test_what_ships_offers_mozillas_model_for_chinese_complete() -> None:
    known = read_list(offered_models())
    best = best_for(known.offers, LanguagePair())
    assert best is not None and best.id == "mozilla/zh-en base" and best.size == 49_932_172
    assert all(each.address.startswith("https://") for offer in known.offers for each in offer.files)
    assert all(each.has_checksum for offer in known.offers for each in offer.files)
    assert {offer.source for offer in known.offers} <= {source.key for source in SOURCES}
    (nllb,) = [offer for offer in known.offers if offer.source == "nllb"]
    assert nllb.licence == "CC-BY-NC-4.0" and nllb.has_many_languages
    assert len({offer.id for offer in known.offers}) == len(known.offers)


def test_it_is_renewed_source_by_source(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("model_lists", SCRIPT)
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)

    class Fixed:
        def __init__(self, key: str, answers: bool) -> None:
            self.key, self.title, self.asks, self._answers = key, key, "example.org", answers

        def offers(self, read: object) -> tuple[Offer, ...]:
            if not self._answers:
                raise DownloadError("It does not answer.")
            return (
                Offer(self.key, "zh-en", LanguagePair()),
                Offer(self.key, "de-en", LanguagePair("de", "en")),
            )

        def complete(self, offer: Offer, read: object) -> Offer:
            files = (OfferedFile("a", "https://example.org/a", 1, "0" * 64),)
            return Offer(offer.source, offer.name, offer.pair, "MIT", files)

    path = tmp_path / "offered.json"
    path.write_text(to_text([Offer("mozilla", "old", LanguagePair())], {"mozilla": "2020-01-01"}), "utf-8")
    failed = script.renew(path, (Fixed("opus-mt", True), Fixed("mozilla", False)), lambda address: None)
    known = read_list(path)
    assert failed == ["mozilla: It does not answer."]
    assert [(offer.id, offer.is_complete) for offer in known.offers] == [
        ("opus-mt/zh-en", True),
        ("opus-mt/de-en", False),
        ("mozilla/old", False),
    ]
    assert known.asked["mozilla"] == "2020-01-01" and known.asked["opus-mt"] > "2026"
