"""A server on this computer, and what is made for it."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterator

import pytest
from loopback_server import LoopbackServer
from mozilla_models import TINY, pieces_of, publish, registry, weights
from shortlists import random_shortlist

from anaphora.core.language_pair import LanguagePair
from anaphora.model_downloads import mozilla
from anaphora.model_downloads.catalogue import Offer, OfferedFile
from anaphora.model_downloads.transport import Transport


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackServer]:
    """It stands for Mozilla's registry, too."""
    with LoopbackServer() as found:
        monkeypatch.setattr(mozilla, "REGISTRY", found.root + "db/models.json")
        yield found


@pytest.fixture
def transport() -> Transport:
    """One that may go to this computer itself, and gives up soon."""
    return Transport(allow_loopback=True, seconds=1.0)


@pytest.fixture
def offer_file(server: LoopbackServer) -> Callable[..., OfferedFile]:
    """Puts a file on the server and tells what a list says of it."""

    def make(name: str, content: bytes, packed: bool = False) -> OfferedFile:
        sent = gzip.compress(content, 1) if packed else content
        path = name + ".gz" if packed else name
        server.files[path] = sent
        return OfferedFile(
            name,
            server.root + path,
            len(sent),
            hashlib.sha256(sent).hexdigest(),
            packed=packed,
            unpacked_size=len(content) if packed else None,
            unpacked_sha256=hashlib.sha256(content).hexdigest() if packed else "",
        )

    return make


@pytest.fixture
def offer(offer_file: Callable[..., OfferedFile]) -> Offer:
    """A model of two files, one of them packed."""
    files = (
        offer_file("model.bin", bytes(range(256)) * 800, packed=True),
        offer_file("vocab.spm", b"v" * 90_000),
    )
    return Offer("mozilla", "zh-en base", LanguagePair(), "MPL-2.0", files, "https://example.org/about")


@pytest.fixture
def tiny(server: LoopbackServer) -> Offer:
    """A small model on the server, of which only the name is known."""
    texts = ["账本保存每个交易。", "每个节点读取账本。", "The ledger keeps it."]
    model = weights(TINY, (2000, 2000), True, end_bias=0.0)
    pieces, lists = {"vocab": pieces_of(texts, 2000)}, random_shortlist(2000, 2000)
    entry = publish(server.files, "zh-en", TINY, model, pieces, lists)
    server.files["db/models.json"] = registry(server.root, {"zh-en": [entry]})
    return Offer("mozilla", "zh-en", LanguagePair(), "MPL-2.0")
