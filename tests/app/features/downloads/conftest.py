"""A server on this computer, and files for it."""

from __future__ import annotations

import gzip
import hashlib
import random
from collections.abc import Callable, Iterator

import pytest
from loopback_server import LoopbackServer
from mozilla_models import TINY, pieces_of, publish, registry, weights
from shortlists import random_shortlist

from anaphora.core.language_pair import LanguagePair
from anaphora.features.downloads import mozilla
from anaphora.features.downloads.catalogue import OfferedFile, OfferedModel
from anaphora.features.downloads.transport import Transport

NOISE = random.Random(1).randbytes(90_000)
"""Incompressible bytes."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackServer]:
    """A server that also replaces Mozilla's registry."""
    with LoopbackServer() as found:
        monkeypatch.setattr(mozilla, "REGISTRY", found.root + "db/models.json")
        yield found


@pytest.fixture
def transport() -> Transport:
    """A transport that may use loopback, with short time limits."""
    return Transport(allow_loopback=True, seconds=1.0)


@pytest.fixture
def offer_file(server: LoopbackServer) -> Callable[..., OfferedFile]:
    """Puts a file on the server and returns its entry for a list."""

    def make(name: str, content: bytes) -> OfferedFile:
        sent = server.files[name] = gzip.compress(content, 1)
        digest = hashlib.sha256(content).hexdigest()
        return OfferedFile(name, server.root + name, len(content), digest, len(sent))

    return make


@pytest.fixture
def offer(offer_file: Callable[..., OfferedFile]) -> OfferedModel:
    """A model of two files."""
    files = offer_file("model.bin", bytes(range(256)) * 800), offer_file("vocab.spm", NOISE)
    return OfferedModel("zh-en base", LanguagePair(), files)


@pytest.fixture
def tiny(server: LoopbackServer) -> OfferedModel:
    """A small model on the server, offered by name only."""
    texts = ["账本保存每个交易。", "每个节点读取账本。", "The ledger keeps it."]
    model = weights(TINY, (2000, 2000), True, end_bias=0.0)
    pieces, lists = {"vocab": pieces_of(texts, 2000)}, random_shortlist(2000, 2000)
    entry = publish(server.files, "zh-en", TINY, model, pieces, lists)
    server.files["db/models.json"] = registry(server.root, {"zh-en": [entry]})
    return OfferedModel("zh-en", LanguagePair())
