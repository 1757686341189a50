"""What is told of models from their folders."""

from __future__ import annotations

from pathlib import Path

from anaphora.models.files import own_model
from anaphora.shipped import default_model


def test_the_card_of_the_model_that_ships_is_whole() -> None:
    card, licence = own_model(default_model()).texts
    assert card.text == (default_model() / "CARD.md").read_text("utf-8") and card.is_markdown
    assert "MIT License" in licence.text and not licence.is_markdown


def test_a_card_that_is_cut_says_so(tmp_path: Path) -> None:
    (tmp_path / "CARD.md").write_text("a" * 10**6, "utf-8")
    (card,) = own_model(tmp_path).texts
    assert card.text.startswith("aaaa") and card.text.endswith("a…") and len(card.text) < 10**5
