"""The real included model, loaded once."""

from __future__ import annotations

import pytest
import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model

DEVICES = [pytest.param("cpu", marks=pytest.mark.device)]
if torch.cuda.is_available():
    DEVICES.append(pytest.param("cuda", marks=[pytest.mark.device, pytest.mark.cuda]))


@pytest.fixture(scope="session", params=DEVICES)
def device(request: pytest.FixtureRequest) -> str:
    """Each available device."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def translator(device: str) -> Translator:
    """The included model, on one thread of a CPU."""
    return Translator.load(embedded_model(), device=device, threads=1)
