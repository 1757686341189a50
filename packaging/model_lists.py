"""Renews the list of models that ships: python packaging/model_lists.py

It asks Mozilla's registry and Hugging Face, as *Refresh* does, and for the size, checksums and licence of the
models of COMPLETE one by one. A source that does not answer keeps what the list says of it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from anaphora.core.errors import AnaphoraError
from anaphora.model_downloads.catalogue import Offer
from anaphora.model_downloads.snapshot import read_list, to_text
from anaphora.model_downloads.sources.registry import SOURCES
from anaphora.model_downloads.sources.source import ReadJson, Source
from anaphora.model_downloads.transport import Transport
from anaphora.shipped import offered_models

COMPLETE = ("opus-mt/zh-en", "opus-mt/en-zh", "nllb/distilled-600M")


def renew(path: Path, sources: Sequence[Source], read: ReadJson) -> list[str]:
    """Write the list anew; returns what could not be asked."""
    before, failed = read_list(path), []
    offers: list[Offer] = []
    asked = dict(before.asked)
    for source in sources:
        own = [offer for offer in before.offers if offer.source == source.key]
        try:
            found = source.offers(read)
            own = [source.complete(offer, read) if offer.id in COMPLETE else offer for offer in found]
            asked[source.key] = date.today().isoformat()
        except AnaphoraError as error:
            failed.append(f"{source.title}: {error}")
        offers += own
    path.write_text(to_text(offers, asked), "utf-8")
    return failed


if __name__ == "__main__":
    problems = renew(offered_models(), SOURCES, Transport().read_json)
    print("\n".join(problems), file=sys.stderr)
    sys.exit(bool(problems))
