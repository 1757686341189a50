"""The real default model, loaded once."""

from __future__ import annotations

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model


@pytest.fixture(scope="session")
def translator() -> Translator:
    """The embedded model on one CPU thread."""
    return Translator.load(embedded_model(), device="cpu", threads=1)
